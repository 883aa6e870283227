// The page: what each part shows, and when satjudge is asked.
import {connect} from './engine.js';
import {addNode, addOpened, derived, node, question, state, subscribe, tell} from './store.js';
import {showExamples} from './examples.js';
import {showExports} from './exports.js';
import {showFiles} from './files.js';
import {showGallery} from './gallery.js';
import {openLink, showLink} from './link.js';
import {showMap} from './map.js';
import {showNotice} from './notice.js';
import {showRulebook} from './rulebook.js';
import {showSheet} from './sheet.js';
import {showCores} from './cores.js';
import {showTabs} from './tabs.js';
import {showTasks} from './tasks.js';
import {showTimeline} from './timeline.js';
import {rememberVerdicts, showOrders} from './orders.js';
import {showBar} from './bar.js';
import {showSelected} from './selected.js';
import {showHelp} from './help.js';

const {ask, tasks, ready, begin, opened, examples} = await connect();

if (ready) {
  const status = document.querySelector('#status');
  status.textContent = 'satjudge is starting in this browser. You can already give orders; the verdicts follow in a moment.';
  ready.then(() => '', error => error.message).then(text => { status.textContent = text; });
}

// Asks, and tells what `made` makes of the answer, or of its failing; nothing if something else was asked in the meantime.
const latest = new Map();
const askFor = async (name, asked, made = found => ({[name]: null, ...found})) => {
  const turn = new AbortController();
  latest.get(name)?.abort();
  latest.set(name, turn);
  try {
    const answer = await ask(asked, turn.signal);
    if (latest.get(name) === turn) tell(made({[name]: answer}));
  } catch (error) {
    if (latest.get(name) === turn) tell(made({fault: error.fault ?? {message: String(error)}}));
  }
};

const PAUSE = 120;  // milliseconds after the last key
let pause = null;  // while somebody types

// Till the answer comes, what was judged before is shown as old.
const judge = () => {
  const asked = question('judge');
  askFor('judged', asked, ({judged = null, fault = null}) => ({
    judged: judged && {...judged, sheet: asked.sheet}, fault, judging: pause !== null,
  }));
};

// A picture of hundreds of provinces takes seconds: while somebody types it waits for so long, and verdicts do not wait for it.
const SLOW = 300;  // milliseconds
let took = 0;  // the last picture
let later = null;
const draw = () => {
  clearTimeout(later);
  const began = performance.now();
  askFor('picture', question('draw', {shows: state.mode === 'position' ? 'before' : state.view, ...derived.look}), found => {
    took = performance.now() - began;
    return {picture: null, ...found};
  });
};

const askAgain = typed => {
  clearTimeout(pause);
  pause = null;
  judge();
  if (typed && took > SLOW) {
    clearTimeout(later);
    later = setTimeout(draw, took);
  } else {
    draw();
  }
};

// What rests on the position and the rules alone is asked when one of these is another.
let restsOn = [];
const askForChoices = () => {
  const {position} = node();
  if (position === restsOn[0] && state.rules === restsOn[1]) return;
  restsOn = [position, state.rules];
  askFor('choices', question('choices', {sheet: ''}));
  const {map} = position;
  if (derived.start && map !== derived.start.position.map) ask({ask: 'start', map}).then(start => tell({start}), () => {});
};

const ASKED_AFTER = ['nodes', 'at', 'rules'];
subscribe(changed => {
  if (!node()) return;
  const again = ASKED_AFTER.some(name => changed.has(name));
  if (again && !derived.judging) tell({judging: true});
  if (changed.has('typed')) {
    clearTimeout(pause);
    pause = setTimeout(askAgain, PAUSE, true);
  } else if (again) {
    askAgain(false);
  } else if (changed.has('view') || changed.has('mode') || changed.has('look')) {
    draw();
  }
  askForChoices();
});

rememberVerdicts();
for (const show of [showBar, showRulebook, showSheet, showTabs, showMap, showOrders, showSelected, showExamples, showCores, showTimeline, showTasks,
  showNotice, showGallery, showFiles, showExports, showLink, showHelp]) show({ask, tasks, ready, examples});

subscribe(changed => { if (begin && changed.has('picture')) setTimeout(begin); });  // when that is drawn

// What was told before satjudge had started is told anew, with all that it lacked.
ready?.then(() => {
  if (!derived.judged?.early) return;
  restsOn = [];
  askAgain(false);
  askForChoices();
}, () => {});

const start = await ask({ask: 'start'});
tell({start});
if (!await openLink(ask)) {
  if (opened.length) addOpened(opened);
  else addNode(start.position);
}
