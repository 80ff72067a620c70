// Explanations: an event, the sentences that explain it, and its chain of causes and effects as links.

const MOST_KIN = 400;
const MOST_CHAIN = 14;
/** Sentences of a failure in the list of all; the selection shows the rest. */
const MOST_REASONS = 6;
const MOST_TOLD = 40;
const MOST_FLUSHED = 5;
/** Explained waits of a failed test: the end of a run interrupts many requests without a problem. */
const MOST_WAITING = 3;
const TROUBLES = [
  { how: 'broken', title: 'broken invariants' }, { how: 'failed', title: 'failed requests and verbs' }, { how: 'ignored', title: 'ignored by their receivers' },
  { how: 'waits', title: 'not finished at the end' },
];

class Why {
  constructor(trace, element, onSelect) {
    this.trace = trace;
    this.element = element;
    this.onSelect = onSelect;
  }

  show(event) {
    if (event < 0) { this.troubles(); return; }
    const trace = this.trace;
    const told = trace.told.get(event) || this.ofItsRequest(event);
    const parts = [make('p', { class: 'what' }, told ? trace.texts[told.what] : trace.words(event))];
    if (told) {
      parts.push(make('ul', {}, ...told.because.map(text => make('li', { class: 'because' }, trace.texts[text]))));
      if (told.event - 1 !== event) { parts.push(make('p', {}, 'selected: ' + trace.words(event))); }
    }
    parts.push(this.facts(event), ...this.request(event), make('h3', {}, 'causes'), this.chain(event, told));
    const again = trace.lost[event] === 1 ? trace.sentAgain(event) : -1;
    if (again >= 0) { parts.push(make('h3', {}, 'sent again as'), make('div', { class: 'chain' }, this.step(again, event))); }
    const after = [...trace.effects(event)].slice(0, MOST_CHAIN);
    if (after.length > 0) {
      parts.push(make('h3', {}, 'effects' + (trace.effects(event).length > MOST_CHAIN ? ', first ' + MOST_CHAIN + ' of ' + trace.effects(event).length : '')),
        make('div', { class: 'chain' }, ...after.map(one => this.step(one, event))));
    }
    this.element.replaceChildren(...parts);
  }

  /** An event of a request is explained by the end of the request, if that says more. */
  ofItsRequest(event) {
    const request = this.trace.requestOf[event];
    const end = request < 0 ? -1 : this.trace.requests.ended[request];
    const told = end >= 0 ? this.trace.told.get(end) : undefined;
    // The arrival of a response adds nothing.
    return told !== undefined && (this.trace.has(end, 'bad') || told.because.length > 1) ? told : undefined;
  }

  facts(event) {
    const trace = this.trace;
    const way = trace.wayAt[event];
    const lane = trace.lane[event];
    const facts = ['event ' + trace.id[event], micros(trace.nanos[event]) + ' us', trace.adapter(lane) + '/' + trace.laneName(lane), trace.type(event)];
    if (way >= 0 && ['delivered', 'corrupted'].includes(trace.ways.end[way])) { facts.push('on its way ' + duration(trace.nanos[trace.ways.to[way]] - trace.nanos[trace.ways.from[way]])); }
    if (way >= 0 && trace.ways.again[way] > 0) { facts.push('sent again, ' + trace.ways.again[way] + (trace.ways.again[way] === 1 ? ' time' : ' times') + ' before'); }
    return make('p', { class: 'facts' }, facts.join(' · '));
  }

  request(event) {
    const request = this.trace.requestOf[event];
    if (request < 0) { return []; }
    const { posted, ended, status } = this.trace.requests;
    const length = ended[request] >= 0 ? duration(this.trace.nanos[ended[request]] - this.trace.nanos[posted[request]]) + ' to ' + status[request] : status[request];
    return [make('h3', {}, 'its work request, ' + length), make('div', { class: 'chain' }, this.step(posted[request], event),
      ended[request] >= 0 ? this.step(ended[request], event) : '')];
  }

  /** The chain from the oldest known cause to the event; if sentences explain it, the events that they name. */
  chain(event, told) {
    const all = told && told.event - 1 === event ? told.shows.map(place => place - 1).filter(place => place >= 0) : this.causes(event);
    const kept = all.length > 2 * MOST_CHAIN ? [...all.slice(0, MOST_CHAIN), -1, ...all.slice(-MOST_CHAIN)] : all;
    return make('div', { class: 'chain' }, ...kept.map(one => one < 0 ? make('p', {}, (all.length - 2 * MOST_CHAIN) + ' more') : this.step(one, event)));
  }

  causes(event) {
    const chain = [event];
    for (let at = this.trace.cause[event]; at >= 0 && chain.length < 64; at = this.trace.cause[at]) { chain.unshift(at); }
    const also = this.trace.other[event];
    return also >= 0 && !chain.includes(also) ? [also, ...chain] : chain;
  }

  step(event, self) {
    const trace = this.trace;
    const kind = (event === self ? 'self ' : '') + (trace.has(event, 'bad') ? 'bad' : '');
    return make('button', { class: kind.trim() || undefined, 'data-event': trace.id[event], on: { click: () => this.onSelect(event) } },
      make('time', {}, micros(trace.nanos[event])), make('span', {}, trace.adapter(trace.lane[event]) + '/' + trace.laneName(trace.lane[event]) + ' ' + this.told(event)));
  }

  told(event) {
    const type = this.trace.type(event);
    const words = this.trace.brief(event);
    if (type === 'fabric:dropped') { return this.trace.packetName(event) + ' ' + words; }
    return type === 'fabric:sent' ? 'sends ' + words : type === 'fabric:delivered' ? 'gets ' + words : words;
  }

  /** Completions with an error that follow from another failure. */
  flushed() {
    const told = new Set(this.trace.scene.told.filter(one => one.how === 'failed').map(one => one.event - 1));
    const all = [];
    for (let i = 0; i < this.trace.count; i++) { if (this.trace.has(i, 'failed') && !told.has(i)) { all.push(i); } }
    return all;
  }

  saysWhatItDoes() {
    for (let i = 0; i < this.trace.count; i++) { if (this.trace.has(i, 'program')) { return true; } }
    return false;
  }

  /** As in the terminal; its event is a link. */
  trouble(one) {
    const text = this.trace.texts[one.what];
    const kind = 'trouble' + (one.how === 'waits' ? '' : ' bad');
    const head = one.event > 0 ? make('button', { class: 'link', 'data-event': this.trace.id[one.event - 1], on: { click: () => this.onSelect(one.event - 1) } }, text) : make('b', {}, text);
    return make('div', { class: kind }, head, ...one.because.slice(0, MOST_REASONS).map(because => make('div', { class: 'because' }, 'because ' + this.trace.texts[because])),
      one.because.length > MOST_REASONS ? make('div', { class: 'because' }, 'and ' + (one.because.length - MOST_REASONS) + ' more') : '');
  }

  /** Without a selection: the failures. */
  troubles() {
    const trace = this.trace;
    const lost = [];
    const most = this.ofTest && trace.scene.told.some(one => one.how === 'failed' || one.how === 'broken') ? MOST_FLUSHED : MOST_CHAIN;
    let losses = 0;
    for (let i = 0; i < trace.count; i++) {
      if (trace.has(i, 'dropped') || trace.has(i, 'corrupted') || this.ofTest && trace.isStruck(i)) {
        losses++;
        if (lost.length < most) { lost.push(i); }
      }
    }
    const groups = TROUBLES.map(({ how, title }) => ({ how, title, all: trace.scene.told.filter(one => one.how === how) })).filter(group => group.all.length > 0);
    const flushed = this.flushed();
    const parts = [make('h2', {}, groups.length > 0 || flushed.length > 0 ? this.ofTest ? 'Why' : 'What went wrong' : this.ofTest ? 'No request failed, and none is open' : 'Nothing failed')];
    for (const { how, title, all } of groups) {
      const most = this.ofTest && how === 'waits' ? MOST_WAITING : MOST_TOLD;
      parts.push(make('h3', {}, title + (all.length > most ? ', first ' + most + ' of ' + all.length : '')), ...all.slice(0, most).map(one => this.trouble(one)));
    }
    if (flushed.length > 0) {
      const told = groups.length > 0 ? undefined : trace.told.get(flushed[0]);
      parts.push(make('h3', {}, 'flushed with their queue' + (flushed.length > MOST_FLUSHED ? ', first ' + MOST_FLUSHED + ' of ' + flushed.length : '')), told === undefined ? '' : this.trouble(told),
        make('div', { class: 'chain' }, ...flushed.slice(told === undefined ? 0 : 1, MOST_FLUSHED).map(one => this.step(one, -1))));
    }
    if (lost.length > 0) {
      const title = (this.ofTest ? 'injected faults and lost packets' : 'lost packets') + (losses > lost.length ? ', first ' + lost.length + ' of ' + losses : '');
      parts.push(make('h3', {}, title), make('div', { class: 'chain' }, ...lost.map(one => this.step(one, -1))));
    }
    if (this.ofTest && groups.length === 0 && flushed.length === 0 && !this.saysWhatItDoes()) { parts.push(make('p', {}, 'If the reason is in the program, let it say what it does: ', make('code', {}, 'world.tell(adapter, "program store", "puts 7")'), ' appears in a lane of its own, and among the requests.')); }
    parts.push(make('p', {}, 'Click an arrow, a completion or another mark to see its cause, and the bits of a packet.'));
    this.element.replaceChildren(...parts);
  }
}
