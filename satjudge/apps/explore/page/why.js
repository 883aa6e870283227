// Why the verdict on an order is what it is in what is in sight, the ruling or a resolution, with its culprits lit on the map; what would change it, why not, and what if without it.
import {make} from './dom.js';
import {derived, node, question, state, tell} from './store.js';

// `{element, ask(order)}`: the element shows the explanation of the order last asked about.
export const makeWhy = ask => {
  const element = make('div', {class: 'why', 'aria-live': 'polite'});
  let turn = null;

  const told = async (name, order, show) => {
    const mine = turn;
    let parts;
    try {
      parts = show(await ask(question(name, order)));
    } catch (error) {
      parts = [make('p', {class: 'fault'}, error.message)];
    }
    return mine === turn ? parts : null;
  };

  const more = (label, name, order, show) => make('button', {type: 'button', class: 'more', onclick: async event => {
    const button = event.currentTarget;
    const parts = await told(name, order, show);
    if (parts) button.replaceWith(make('div', {class: 'answer'}, make('h4', {}, label), ...parts));
  }}, label);

  return {
    element,
    ask: async order => {
      turn = {};
      element.replaceChildren();
      tell({shown: null});
      if (!order) return;
      const seen = typeof state.view === 'number';
      const parts = await told('explain', seen ? {...order, resolution: state.view} : order, explanation => {
        const culprits = numbered(explanation.culprits);
        tell({shown: {provinces: culprits.map(({province, number}) => ({province, number})), says: explanation.plain || (explanation.reasons[0]?.text ?? '')}});
        return [explanation.plain && make('p', {class: 'plain'}, explanation.plain), reasons(explanation.reasons), blamed(culprits), explanation.core && core(explanation.core)];
      });
      if (!parts) return;
      const moves = node().position.phase.endsWith('M') && !derived.judged?.unresolved;
      element.replaceChildren(...parts.filter(Boolean), ...(moves ? [make('p', {class: 'mores'},
        more(seen ? 'What would change it, as ruled?' : 'What would change it?', 'what-would-change', order, turned),
        more('Why not?', 'why-not', order, refused), more(seen ? 'What happens without it, as ruled?' : 'What happens without it?', 'what-if', order, changed))] : []));
    },
  };
};

const reasons = found => make('ul', {class: 'reasons'}, ...found.map(reason => make('li', {}, sentence(reason),
  reason.because.length > 0 && make('details', {}, make('summary', {}, 'because'), reasons(reason.because)))));

const sentence = ({text, rules}) => make('span', {}, text, ...rules.map(rule =>
  make('abbr', {class: 'rule', title: `DATC, section ${rule}`}, ` [${rule}]`)));

// The orders to blame, numbered as on the map: each with the province of its unit.
const numbered = culprits => culprits.map(({power, order}, index) => ({
  power, order, number: index + 1,
  province: derived.judged?.orders.find(one => one.power === power && one.order === order)?.province
    ?? order.split(' ')[1]?.split('/')[0],
}));

const blamed = culprits => culprits.length > 0 && make('ol', {class: 'culprits'}, ...culprits.map(({power, order}) => make('li', {
  onpointerenter: () => tell({lit: {power, order}}), onpointerleave: () => tell({lit: null}),
}, `${derived.start?.powers[power] ?? power} ${order}`)));

const core = ({name, words}) => make('p', {class: 'core'}, name ?? '', words ? `: ${words}` : '');

// Lines that are indented tell units with their orders.
const turned = lines => [
  make('p', {}, lines[0]),
  make('ul', {class: 'turned'}, ...lines.filter(line => line.startsWith('  ')).map(line => make('li', {}, line.trim()))),
  ...lines.slice(1).filter(line => !line.startsWith('  ')).map(line => make('p', {}, line)),
];

const refused = ({steps, possible}) => [make('ol', {class: possible ? 'steps possible' : 'steps'}, ...steps.map(step => make('li', {}, step)))];

const changed = ({outcome_differs: differs, verdicts, positions, dislodgements}) => {
  const told = [
    ...verdicts.filter(one => one.after != null).map(({power, order, before, after}) => `${power} ${order}: ${after} (was: ${before})`),
    ...positions.after.map(({power, unit}) => `${power} ${unit} would be there`),
    ...positions.before.map(({power, unit}) => `${power} ${unit} would not be there`),
    ...dislodgements.after.map(({power, unit}) => `${power} ${unit} would be dislodged`),
    ...dislodgements.before.map(({power, unit}) => `${power} ${unit} would not be dislodged`),
  ];
  return [told.length ? make('ul', {}, ...told.map(line => make('li', {}, line)))
    : make('p', {}, differs ? 'the position would be different' : 'nothing else would change')];
};
