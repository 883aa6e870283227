// Sharing: the link holds all that a player made, compressed in its fragment, which browsers send to no server.
import {make} from './dom.js';
import {icon} from './icons.js';
import {change, derived, state, subscribe, tell} from './store.js';
import {tellBriefly} from './notice.js';
import {canUndo} from './history.js';
import {isState} from './shapes.js';

const VERSION = 1;
const LONGEST = 500_000;  // characters of a fragment; browsers open no addresses that are much longer
const MOST = 3_000_000;  // bytes of what it holds
const PAUSE = 300;  // milliseconds between two changes of the address: browsers allow some 200 in half a minute

// ---- text and back ----

// What comes out of a stream of bytes. Throws `RangeError` as soon as that is more than `most`.
const gathered = async (stream, most) => {
  const chunks = [];
  let length = 0;
  for (const reader = stream.getReader(); ;) {
    const {done, value} = await reader.read();
    if (done) break;
    length += value.length;
    if (length > most) {
      reader.cancel().catch(() => {});
      throw new RangeError(`it contains more than ${most.toLocaleString('en')} bytes`);
    }
    chunks.push(value);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
};

const through = (bytes, transform, most = Infinity) => gathered(new Blob([bytes]).stream().pipeThrough(transform), most);

// Unpacks bytes (`deflate`, `gzip`). Throws `RangeError` for what is too much, `TypeError` for what is damaged.
export const unpacked = (bytes, format, most = MOST) => through(bytes, new DecompressionStream(format), most);

const toBase64Url = bytes => {
  let text = '';
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
};

const fromBase64Url = text => {
  if (!/^[\w-]*$/.test(text)) throw new TypeError('it contains invalid characters');
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), sign => sign.charCodeAt(0));
};

// `deflate` has a checksum, so that a damaged link is not taken for another game.
export const fragmentOf = async shared => {
  const packed = await through(new TextEncoder().encode(JSON.stringify(shared)), new CompressionStream('deflate'));
  return `#${VERSION}.${toBase64Url(packed)}`;
};

// What a fragment holds. Throws an `Error` that says why it holds nothing: what is in it may have been made by anybody.
export const readFragment = async fragment => {
  if (fragment.length > LONGEST) throw new Error(`it has more than ${LONGEST.toLocaleString('en')} characters`);
  const [, version, packed] = fragment.match(/^#(\d{1,9})\.([^]*)$/) ?? [];
  if (!version) throw new Error('it is not a link to this page');
  if (Number(version) !== VERSION) throw new Error(`it has version ${version}, but this page reads version ${VERSION}`);
  let shared;
  try {
    const bytes = await unpacked(fromBase64Url(packed), 'deflate');
    shared = JSON.parse(new TextDecoder('utf-8', {fatal: true}).decode(bytes));
  } catch (error) {
    throw new Error(error instanceof RangeError ? error.message : 'it is incomplete or damaged');
  }
  if (!isState(shared)) throw new Error('it does not contain a game');
  return shared;
};

// ---- opening links and keeping the address ----

let kept = '';  // the fragment that the page has put into the address itself
let refused = '';  // one that could not be opened: it stays in the address until the player does something

// Opens what the address holds, once satjudge has found that it can be. Promises whether there was anything; what cannot be
// opened is told, and nothing else happens.
export const openLink = async ask => {
  const {hash} = location;
  if (hash.length < 2 || hash === kept) return false;
  try {
    const shared = await readFragment(hash);
    await ask({ask: 'check', positions: shared.nodes.map(one => one.position), rules: shared.rules});
    const start = await ask({ask: 'start', map: shared.nodes.find(one => one.id === shared.at).position.map});
    if (location.hash !== hash) return false;
    kept = hash;
    tell({start});
    change(withSharedPositions(shared));
    return true;
  } catch (error) {
    refused = hash;
    tell({notice: `The link cannot be opened: ${error.message.replace(/\.$/, '')}.`});
    return false;
  }
};

// Positions that are the same are one value, as they are where phases branch off.
const withSharedPositions = shared => {
  const known = new Map();
  const one = position => {
    const text = JSON.stringify(position);
    if (!known.has(text)) known.set(text, position);
    return known.get(text);
  };
  return {...shared, nodes: shared.nodes.map(node => ({...node, position: one(node.position)}))};
};

const SHARED = Object.keys(state);

// Whether the page may put another fragment into the address: not over a link that is about to be opened, nor over a refused
// one before the player did something.
const isOurs = () => ['', kept].includes(location.hash) || (location.hash === refused && canUndo());

// Puts what there is now into the address.
const keep = async () => {
  if (!state.nodes.length || !isOurs()) return;
  const fragment = await fragmentOf(state);
  if (!isOurs()) return;  // a link has come while that was packed
  if (fragment.length > LONGEST || !isState(state)) {
    tell({notice: 'This game is too long for a link. Save it as a file.'});
  } else if (fragment !== location.hash) {
    kept = fragment;
    history.replaceState(history.state, '', fragment);
  }
};

// ---- the button ----

const copy = async shown => {
  await keep();
  try {
    await navigator.clipboard.writeText(location.href);
    tellBriefly(`The link has been copied (${location.href.length.toLocaleString('en')} characters).`);
  } catch {  // the browser does not allow it, or not on this address
    shown.hidden = false;
    const [, field] = shown.querySelectorAll('*');
    field.value = location.href;
    field.select();
    field.focus();
    tell({notice: 'Your browser does not let this page copy the link. It is selected, so you can copy it yourself.'});
  }
};

export const showLink = ({ask}) => {
  const field = make('input', {type: 'text', readonly: true});
  const shown = make('p', {class: 'link', hidden: true}, make('label', {}, 'Link ', field));
  const button = make('button', {type: 'button', class: 'copy-link', 'aria-label': 'Share', title: 'Copy a link to everything on this page', onclick: () => copy(shown)},
    icon('share'), make('span', {class: 'word'}, 'Share'));
  document.querySelector('#tools').append(button, shown);
  let timer = null;
  subscribe(changed => {
    if (timer || !SHARED.some(name => changed.has(name))) return;
    timer = setTimeout(() => {
      timer = null;
      keep();
    }, PAUSE);
  });
  addEventListener('hashchange', () => openLink(ask));
};
