// The recorded run: its columns and what is derived from them. Events are identified by indexes from 0; -1 means none.

/** Damage to a modified file is reported in words instead of by an empty page. */
function readRun() {
  try {
    const runs = [...document.querySelectorAll('script.run')];
    const names = runs.map(each => each.dataset.run);
    const run = runs[names.indexOf(shownRun(names))];
    if (document.getElementById('failed-test') === null) { offerRuns(names, run.dataset.run); }
    return new Trace(JSON.parse(run.textContent));
  } catch (wrong) {
    document.body.className = 'damaged';
    document.body.textContent = 'This report is damaged, and can\'t be drawn: ' + wrong.message;
    throw wrong;
  }
}

/** A gallery holds several runs; the address selects one by name. */
function offerRuns(names, chosen) {
  const choice = document.getElementById('runs');
  choice.hidden = names.length < 2;
  choice.append(...names.map(name => make('option', { value: name, selected: name === chosen }, name)));
  choice.addEventListener('change', () => showRun(choice.value));
}

/** The run that the address names, or else the first. */
function shownRun(names) {
  const wanted = new URLSearchParams(location.hash.slice(1)).get('run');
  return names.includes(wanted) ? wanted : names[0];
}

function showRun(name) {
  location.hash = new URLSearchParams({ run: name });
  location.reload();
}

const STRIKES = ['dropped', 'corrupted', 'forged', 'delayed', 'duplicated', 'reordered', 'replaced', 'bench'];

/** True if the run is the result of shrinking another one. */
function isMinimal() {
  const names = [...document.querySelectorAll('script.run')].map(run => run.dataset.run);
  return names.length > 1 && shownRun(names) === names[0];
}

class Trace {
  constructor(scene) {
    const events = scene.events;
    this.scene = scene;
    this.texts = scene.texts;
    this.count = events.id.length;
    this.id = events.id;
    this.nanos = Float64Array.from(events.nanos);
    this.kind = Int32Array.from(events.kind);
    this.lane = Int32Array.from(events.lane);
    this.mark = Int32Array.from(events.mark);
    this.packet = Trace.places(events.packet);
    this.cause = Trace.places(events.cause);
    this.other = Trace.places(events.other);
    this.posting = Trace.places(events.request);
    this.kinds = events.kinds;
    this.bits = new Map(events.marks.map((name, i) => [name, 1 << i]));
    this.placeOf = new Map(events.id.map((id, i) => [String(id), i]));
    this.earliest = this.nanos.reduce((a, b) => Math.min(a, b), Infinity);
    this.latest = this.nanos.reduce((a, b) => Math.max(a, b), 0);
    this.followEffects();
    this.followWays();
    this.followRequests();
    this.told = new Map(scene.told.filter(one => one.event > 0).map(one => [one.event - 1, one]));
  }

  /** Indexes in the file count from 1; 0 means none. */
  static places(column) {
    return Int32Array.from(column, place => place - 1);
  }

  words(event) { return this.texts[this.scene.events.text[event]]; }
  /** The same without the leading name of its lane. */
  brief(event) {
    const words = this.words(event);
    const lane = this.laneName(this.lane[event]) + ' ';
    return words.startsWith(lane) ? words.slice(lane.length) : words;
  }
  type(event) { return this.kinds[this.kind[event]]; }
  has(event, mark) { return (this.mark[event] & this.bits.get(mark)) !== 0; }
  adapter(lane) { return this.texts[this.scene.lanes.adapter[lane]]; }
  laneName(lane) { return this.texts[this.scene.lanes.name[lane]]; }
  /** The shortest form of a key or program. */
  laneLabel(lane) { return this.laneName(lane).replace(/^key 0x0*(?=.)/, 'key ').replace(/^program /, ''); }
  room(lane) { return this.scene.lanes.room[lane]; }
  /** True if a fault struck, or something was lost. */
  isStruck(event) { return STRIKES.some(mark => this.has(event, mark)); }
  isEntry(event) { return this.type(event) === 'fabric:sent' || this.type(event) === 'fabric:forged'; }
  isOfFabric(event) { return this.type(event).startsWith('fabric:'); }
  opcode(packet) { return this.texts[this.scene.packets.opcode[packet]]; }
  packetName(event) { return this.texts[this.scene.packets.name[this.packet[event]]]; }
  packetClass(packet) { return this.scene.packets.kind[packet]; }

  /** The consequences of all events as one list, with the offset of each event's part. */
  followEffects() {
    const first = new Int32Array(this.count + 1);
    const each = use => {
      for (let i = 0; i < this.count; i++) {
        if (this.cause[i] >= 0) { use(this.cause[i], i); }
        if (this.other[i] >= 0 && this.other[i] !== this.cause[i]) { use(this.other[i], i); }
      }
    };
    each(cause => first[cause + 1]++);
    for (let i = 0; i < this.count; i++) { first[i + 1] += first[i]; }
    const next = first.slice();
    const all = new Int32Array(first[this.count]);
    each((cause, effect) => { all[next[cause]++] = effect; });
    this.effects = event => all.subarray(first[event], first[event + 1]);
  }

  followWays() {
    const ways = this.scene.ways;
    this.ways = {
      count: ways.from.length,
      from: Trace.places(ways.from),
      to: Trace.places(ways.to),
      lane: Int32Array.from(ways.lane),
      end: ways.end.map(end => ways.ends[end]),
      again: ways.again,
      near: ways.near,
    };
    this.wayAt = new Int32Array(this.count).fill(-1);
    this.lost = new Uint8Array(this.count);
    for (let way = this.ways.count - 1; way >= 0; way--) {
      this.wayAt[this.ways.from[way]] = way;
      if (this.ways.to[way] >= 0) { this.wayAt[this.ways.to[way]] = way; }
      if (this.ways.end[way] === 'dropped') { this.lost[this.ways.from[way]] = 1; }
    }
  }

  followRequests() {
    const list = this.scene.requests;
    const names = ['posted', 'first', 'last', 'answered', 'ended', 'until', 'polled'];
    this.requests = { count: list.posted.length, work: list.work, status: list.status, waits: list.waits };
    names.forEach(name => { this.requests[name] = Trace.places(list[name]); });
    this.requestOf = new Int32Array(this.count).fill(-1);
    const byPosting = new Map();
    this.requests.posted.forEach((place, request) => byPosting.set(place, request));
    for (let i = 0; i < this.count; i++) {
      const request = this.posting[i] < 0 ? undefined : byPosting.get(this.posting[i]);
      if (request !== undefined) { this.requestOf[i] = request; }
    }
    this.requests.ended.forEach((place, request) => { if (place >= 0) { this.requestOf[place] = request; } });
  }

  /** The first item of interest: a violation, the first failure, the end of a failed test, or the first request. */
  focus(failed) {
    if (this.scene.broken > 0) { return this.scene.broken - 1; }
    const first = this.scene.told.find(one => one.how === 'failed' && one.event > 0);
    if (first !== undefined) { return first.event - 1; }
    const find = wanted => { for (let i = 0; i < this.count; i++) { if (wanted(i)) { return i; } } return -1; };
    const bad = find(event => this.has(event, 'failed'));
    if (bad >= 0) { return bad; }
    if (failed) {
      // In a minimal run, the fault that struck is the reason.
      const struck = isMinimal() ? find(event => this.isStruck(event)) : -1;
      return struck >= 0 ? struck : this.count - 1;
    }
    return this.requests.count > 0 ? this.requests.posted[0] : -1;
  }

  /** The next sending of the same packet of the same request. */
  sentAgain(event) {
    const psn = place => this.scene.packets.psn[this.packet[place]];
    const posting = this.cause[event];
    if (posting < 0) { return -1; }
    for (const other of this.effects(posting)) {
      if (other > event && this.type(other) === 'fabric:sent' && psn(other) === psn(event)) { return other; }
    }
    return -1;
  }

  /** All causes and consequences of an event, at most so many of each. */
  kin(event, most) {
    const walk = next => {
      const seen = new Set();
      const open = [event];
      while (open.length > 0 && seen.size < most) {
        for (const one of next(open.shift())) {
          if (one >= 0 && !seen.has(one)) { seen.add(one); open.push(one); }
        }
      }
      return seen;
    };
    return {
      past: walk(one => [this.cause[one], this.other[one]]),
      future: walk(one => this.effects(one)),
    };
  }

  recorded() {
    const types = {};
    for (let i = 0; i < this.count; i++) { types[this.type(i)] = (types[this.type(i)] || 0) + 1; }
    const of = type => types[type] || 0;
    const again = new Set();
    this.ways.again.forEach((times, way) => { if (times > 0) { again.add(this.ways.from[way]); } });
    return {
      events: this.count,
      packets: of('fabric:sent') + of('fabric:forged'),
      delivered: of('fabric:delivered'),
      dropped: of('fabric:dropped'),
      corrupted: of('fabric:corrupted'),
      retransmissions: again.size,
      requests: of('qp:work_posted'),
      completions: of('qp:completed'),
      types,
    };
  }
}

/** Microseconds with nanosecond precision. */
function micros(nanos) {
  const whole = Math.floor(nanos / 1000);
  return whole + '.' + String(Math.round(nanos - whole * 1000)).padStart(3, '0');
}

/** A readable duration. */
function duration(nanos) {
  const units = [[1e9, 's'], [1e6, 'ms'], [1e3, 'us']];
  for (const [size, unit] of units) {
    if (nanos >= size) { return Number((nanos / size).toPrecision(4)) + ' ' + unit; }
  }
  return nanos + ' ns';
}

/** An element with attributes and children; a text is never interpreted as HTML. */
function make(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (key === 'on') {
      Object.entries(value).forEach(([event, listener]) => element.addEventListener(event, listener));
    } else if (value !== undefined && value !== false) {
      element.setAttribute(key, value === true ? '' : value);
    }
  }
  element.append(...children.filter(child => child !== undefined && child !== false && child !== ''));
  return element;
}
