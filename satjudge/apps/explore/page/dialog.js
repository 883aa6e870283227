// A dialog with a heading and a button that closes it; Escape closes it, too, and the focus goes back to where it was.
import {make} from './dom.js';
import {icon} from './icons.js';

export const makeDialog = (title, attributes, ...children) => {
  const close = make('button', {type: 'button', class: 'square quiet', 'aria-label': 'Close', onclick: () => dialog.close()}, icon('close'));
  const dialog = make('dialog', {'aria-label': title, ...attributes}, make('div', {class: 'head'}, make('h2', {}, title), close), ...children);
  // A press on what lies behind it.
  dialog.addEventListener('click', event => {
    const {left, right, top, bottom} = dialog.getBoundingClientRect();
    const inside = event.clientX >= left && event.clientX <= right && event.clientY >= top && event.clientY <= bottom;
    if (event.target === dialog && !inside) dialog.close();
  });
  document.body.append(dialog);
  return dialog;
};

// The button of the tools that opens it.
export const addTool = (label, sign, dialog, onopen = () => {}) => {
  const button = make('button', {type: 'button', 'aria-haspopup': 'dialog', 'aria-label': label, title: label, onclick: () => {
    dialog.showModal();
    onopen();
  }}, icon(sign), make('span', {class: 'word'}, label));
  document.querySelector('#tools').append(button);
};
