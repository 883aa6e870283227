// The page: what each part shows, and when satjudge is asked.
import {connect} from './engine.js';
import {addNode, addOpened, derived, node, question, state, subscribe, tell} from './store.js';
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
import {rememberVerdicts, showVerdicts} from './verdicts.js';

const {ask, tasks, ready, opened} = await connect();

if (ready) {
  const status = document.querySelector('#status');
  status.textContent = 'satjudge is starting in this browser: what you do now is judged in a moment.';
  ready.then(() => '', error => error.message).then(text => { status.textContent = text; });
}

// Asks, and tells what comes of it, unless something else was asked in the meantime.
const latest = new Map();
const askFor = async (name, asked) => {
  const turn = new AbortController();
  latest.get(name)?.abort();
  latest.set(name, turn);
  try {
    const answer = await ask(asked, turn.signal);
    if (latest.get(name) === turn) tell({[name]: answer, ...(name === 'judged' ? {fault: null} : {})});
  } catch (error) {
    if (latest.get(name) === turn) tell({[name]: null, fault: error.fault ?? {message: String(error)}});
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
  if (again) askFor('judged', question('judge'));
  if (again || changed.has('view') || changed.has('mode')) {
    askFor('picture', question('draw', {shows: state.mode === 'position' ? 'before' : state.view}));
  }
  askForChoices();
});

rememberVerdicts();
for (const show of [showRulebook, showSheet, showTabs, showMap, showVerdicts, showCores, showTimeline, showTasks, showNotice,
  showGallery, showFiles, showExports, showLink]) show({ask, tasks, ready});

const start = await ask({ask: 'start'});
tell({start});
if (!await openLink(ask)) {
  if (opened.length) addOpened(opened);
  else addNode(start.position);
}
