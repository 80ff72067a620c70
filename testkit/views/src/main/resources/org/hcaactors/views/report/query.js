// The filter: terms that must all hold, each a key with a value or range, a flag, or a text; a leading - negates a term.

const FLAGS = {
  dropped: (trace, i) => trace.has(i, 'dropped') || trace.lost[i] === 1,
  delivered: (trace, i) => trace.type(i) === 'fabric:delivered',
  corrupted: (trace, i) => trace.has(i, 'corrupted') || Query.ends(trace, i, 'corrupted'),
  retransmitted: (trace, i) => trace.isEntry(i) && trace.wayAt[i] >= 0 && trace.ways.again[trace.wayAt[i]] > 0,
  completion: (trace, i) => trace.has(i, 'completion'),
  failed: (trace, i) => trace.has(i, 'failed'),
  bad: (trace, i) => trace.has(i, 'bad') || trace.lost[i] === 1,
  request: (trace, i) => trace.type(i) === 'qp:work_posted',
  packet: (trace, i) => trace.isEntry(i),
  selected: (trace, i, selected) => selected >= 0 && trace.requestOf[selected] >= 0 && trace.requestOf[i] === trace.requestOf[selected],
};
['forged', 'delayed', 'duplicated', 'reordered', 'replaced', 'nak', 'rnr', 'cnak', 'bench', 'program', 'back'].forEach(mark => {
  FLAGS[mark] = (trace, i) => trace.has(i, mark);
});

const KEYS = {
  hca: { text: (trace, i) => [trace.adapter(trace.lane[i])], exact: true },
  opcode: { text: (trace, i) => trace.packet[i] >= 0 ? Query.opcodes(trace, i) : [] },
  type: { text: (trace, i) => [trace.type(i)] },
  lane: { text: (trace, i) => Query.lanes(trace, i).map(lane => trace.laneName(lane)), exact: true },
  qp: { number: (trace, i) => [...Query.lanes(trace, i).map(lane => Query.ofQueue(trace.laneName(lane), 'qp')), Query.ofCompletion(trace, i)] },
  cq: { number: (trace, i) => Query.lanes(trace, i).map(lane => Query.ofQueue(trace.laneName(lane), 'cq')) },
  psn: { number: (trace, i) => trace.packet[i] >= 0 ? [trace.scene.packets.psn[trace.packet[i]]] : [] },
  bytes: { number: (trace, i) => trace.packet[i] >= 0 ? [trace.scene.packets.payload[trace.packet[i]]] : [] },
  time: { number: (trace, i) => [trace.nanos[i] / 1000] },
  event: { number: (trace, i) => [trace.id[i]] },
  wr: { number: (trace, i) => trace.requestOf[i] >= 0 ? [Number(trace.requests.work[trace.requestOf[i]])] : [] },
  status: { text: (trace, i) => trace.has(i, 'completion') ? [trace.words(i).slice(trace.words(i).indexOf(':') + 1)] : [] },
};

class Query {
  /** @throws Error that says what is wrong and what is allowed */
  constructor(text) {
    this.usesSelection = /(^|\s)-?selected(\s|$)/.test(text);
    this.terms = (text.match(/-?[^\s"]*"[^"]*"|\S+/g) || []).map(word => Query.term(word));
  }

  static term(word) {
    const not = word.startsWith('-') && word.length > 1;
    const plain = not ? word.slice(1) : word;
    const colon = plain.indexOf(':');
    const test = plain.startsWith('"') || colon <= 0 ? Query.bare(plain) : Query.keyed(plain.slice(0, colon), plain.slice(colon + 1));
    return not ? (trace, i, selected) => !test(trace, i, selected) : test;
  }

  static bare(word) {
    const text = word.replace(/"/g, '').toLowerCase();
    return !word.includes('"') && Object.hasOwn(FLAGS, text) ? FLAGS[text] : (trace, i) => trace.words(i).toLowerCase().includes(text);
  }

  static keyed(name, value) {
    if (!Object.hasOwn(KEYS, name)) {
      throw new Error('no key "' + name + '"; there are ' + Object.keys(KEYS).join(', ') + '; put a text that contains a colon in quotes');
    }
    const wanted = value.replace(/"/g, '').toLowerCase();
    if (wanted === '') { throw new Error(name + ': requires a value, for example ' + (KEYS[name].number ? name + ':7 or ' + name + ':7..9' : name + ':a')); }
    return KEYS[name].number ? Query.ranged(name, wanted) : Query.worded(KEYS[name], wanted);
  }

  static worded(key, wanted) {
    return (trace, i) => key.text(trace, i).some(text => key.exact ? text.toLowerCase() === wanted : text.toLowerCase().includes(wanted));
  }

  static ranged(name, wanted) {
    const parts = wanted.split('..');
    const low = parts[0] === '' ? -Infinity : Number(parts[0]);
    const high = parts.length === 1 ? low : parts[1] === '' ? Infinity : Number(parts[1]);
    if (parts.length > 2 || Number.isNaN(low) || Number.isNaN(high)) {
      throw new Error(name + ':' + wanted + ' is no number and no range; allowed are for example ' + name + ':7, ' + name + ':7..9, ' + name + ':7..');
    }
    return (trace, i) => KEYS[name].number(trace, i).some(number => number >= low && number <= high);
  }

  /** The lane of an event; for a sent packet, also the lane of its destination. */
  static lanes(trace, i) {
    const way = trace.isEntry(i) ? trace.wayAt[i] : -1;
    return way < 0 ? [trace.lane[i]] : [trace.lane[i], trace.ways.lane[way]];
  }

  /** The operation as on the wire, as in a fault plan and as in the ladder: RC ACKNOWLEDGE, RC_ACKNOWLEDGE, NAK psn sequence. */
  static opcodes(trace, i) {
    const opcode = trace.opcode(trace.packet[i]);
    return [opcode, opcode.replace(' ', '_'), trace.packetName(i).split(' psn ')[0]];
  }

  /** A completion is in the lane of its queue and names its queue pair. */
  static ofCompletion(trace, i) {
    const whose = /\bqp(\d+)(?:'s request| completes)/.exec(trace.words(i));
    return whose === null ? NaN : Number(whose[1]);
  }

  static ofQueue(name, prefix) {
    return name.startsWith(prefix) ? Number(name.slice(prefix.length)) : NaN;
  }

  static ends(trace, i, how) {
    return trace.isEntry(i) && trace.wayAt[i] >= 0 && trace.ways.end[trace.wayAt[i]] === how;
  }

  isEmpty() { return this.terms.length === 0; }

  matches(trace, i, selected) { return this.terms.every(term => term(trace, i, selected)); }

  /** 1 for each event that matches. */
  of(trace, selected) {
    const found = new Uint8Array(trace.count);
    for (let i = 0; i < trace.count; i++) { found[i] = this.matches(trace, i, selected) ? 1 : 0; }
    return found;
  }
}
