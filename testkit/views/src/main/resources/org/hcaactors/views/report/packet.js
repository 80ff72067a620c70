// The packet inspector: each field of each header with its bits, bytes, value and meaning.

const BELOW = ['Ethernet', 'IPv4', 'IPv6', 'UDP'];

class Inspector {
  constructor(trace, element) {
    this.trace = trace;
    this.element = element;
    this.packets = trace.scene.packets;
    this.open = new Map();
    this.names = new Map();
    for (let i = 0; i < trace.scene.addresses.length; i += 2) {
      this.names.set(trace.texts[trace.scene.addresses[i]], trace.texts[trace.scene.addresses[i + 1]]);
    }
  }

  show(event) {
    const packet = event < 0 ? -1 : this.trace.packet[event];
    if (packet < 0) { this.element.replaceChildren(); return; }
    const bytes = this.bytes(packet);
    const dump = make('pre', { class: 'dump' });
    const mark = (from, to) => this.dump(dump, bytes, packet, from, to);
    mark(0, 0);
    const headers = [];
    for (const field of this.fields(packet, this.asSent(event))) {
      if (headers.length === 0 || headers[headers.length - 1].title !== field.header) { headers.push({ title: field.header, rows: [], differs: false }); }
      const header = headers[headers.length - 1];
      header.rows.push(this.row(field, mark));
      header.differs = header.differs || field.differs;
    }
    this.element.replaceChildren(
      make('h3', {}, 'packet ' + (packet + 1) + ': ' + this.trace.opcode(packet) + ', ' + this.packets.length[packet] + ' bytes on the wire'),
      ...headers.map(header => this.header(header)), make('h3', {}, 'bytes'), dump);
  }

  /** Headers that every packet has are folded, unless the reader opens them or the packet was damaged. */
  header({ title, rows, differs }) {
    if (!this.open.has(title)) { this.open.set(title, !BELOW.includes(title)); }
    const turn = () => this.open.set(title, !this.open.get(title));
    return make('details', { open: this.open.get(title) || differs }, make('summary', { on: { click: turn } }, title), ...rows);
  }

  row(field, mark) {
    const code = field.code === '' ? '' : make('b', {}, field.code);
    return make('div', { class: field.differs ? 'field differs' : 'field', on: { pointerenter: () => mark(field.first, field.last), pointerleave: () => mark(0, 0) } },
      make('span', { class: 'name' }, field.name), make('span', { class: 'bits', title: 'bits of the header' }, field.bits), make('span', { class: 'value', title: field.value }, field.value),
      make('span', { class: 'bytes', title: field.bytes }, field.bytes), make('span', { class: 'meaning' }, code, field.code !== '' && field.meaning !== '' ? ': ' : '', field.meaning));
  }

  bytes(packet) {
    const text = atob(this.packets.bytes[packet]);
    return Uint8Array.from(text, c => c.charCodeAt(0));
  }

  /** For a damaged frame: the packet as it was sent. */
  asSent(event) {
    if (this.trace.type(event) !== 'fabric:corrupted') { return null; }
    let at = event;
    for (let i = 0; i < 8 && at >= 0; i++) {
      if (this.trace.type(at) === 'fabric:sent') { return this.bytes(this.trace.packet[at]); }
      at = this.trace.cause[at];
    }
    return null;
  }

  fields(packet, sent) {
    const bytes = this.bytes(packet);
    const fields = [];
    let at = 0;
    for (const number of this.packets.shapes[this.packets.shape[packet]]) {
      const header = this.packets.anatomy[number];
      let bit = 0;
      for (const [name, bits, form, meaning] of header.fields) {
        const first = at + Math.floor(bit / 8);
        const last = at + Math.floor((bit + bits - 1) / 8);
        if (last < bytes.length) {
          const value = bitsOf(bytes, at * 8 + bit, bits);
          const shown = written(value, bits, form);
          fields.push({
            header: header.title, name, first, last: last + 1,
            bits: bits === 1 ? String(bit) : bit + '–' + (bit + bits - 1),
            bytes: hex(bytes.subarray(first, last + 1)),
            value: shown, code: this.code(header.title, name, value, shown, form), meaning,
            differs: sent !== null && sent !== undefined && last < sent.length && bitsOf(sent, at * 8 + bit, bits) !== value,
          });
        }
        bit += bits;
      }
      at += header.bytes;
    }
    return fields.concat(this.rest(packet, bytes, at, sent));
  }

  /** Payload, pad and ICRC. */
  rest(packet, bytes, at, sent) {
    const total = this.packets.length[packet];
    const payload = Math.min(this.packets.payload[packet], Math.max(0, total - 4 - at)); // without the fields of a MAD
    const rest = [];
    const kept = Math.min(payload, bytes.length - 4 - at);
    if (kept > 0) {
      rest.push(this.block('payload', 'data', bytes, at, at + kept, payload + ' bytes',
        kept < payload ? 'the first ' + kept + ' are kept here' + (sent ? ': damage after them is not shown' : '') : 'data of the program', sent));
    }
    const pad = total - at - payload - 4;
    if (pad > 0 && pad < 4 && total === bytes.length) { rest.push(this.block('payload', 'pad', bytes, total - 4 - pad, total - 4, pad + ' bytes', 'padding to a multiple of four', sent)); }
    if (bytes.length >= at + 4) {
      rest.push(this.block('ICRC', 'ICRC', bytes, bytes.length - 4, bytes.length, '0x' + hex(bytes.subarray(bytes.length - 4)).replace(/ /g, ''), 'checksum of the fields that must not change on the way', sent));
    }
    return rest;
  }

  block(header, name, bytes, from, to, value, meaning, sent) {
    const same = sent === null || sent === undefined || hex(sent.subarray(from, to)) === hex(bytes.subarray(from, to));
    return { header, name, first: from, last: to, bits: '', bytes: hex(bytes.subarray(from, Math.min(to, from + 16))), value, code: '', meaning, differs: !same };
  }

  /** The meaning of a code: the name of an opcode, the adapter of an address. */
  code(header, name, value, shown, form) {
    const key = header + '.' + name;
    const known = Object.hasOwn(this.packets.meanings, key) ? this.packets.meanings[key] : {};
    const code = String(value);
    if (Object.hasOwn(known, code)) { return known[code]; }
    if (form === 'ipv4' || form === 'ipv6') { return this.names.get(shown.replace('::ffff:', '')) || ''; }
    return '';
  }

  dump(element, bytes, packet, from, to) {
    element.replaceChildren();
    const left = this.packets.length[packet] - bytes.length;
    const front = left > 0 ? bytes.length - 4 : bytes.length;
    for (let line = 0; line < bytes.length; line = line < front && line + 16 > front ? front : line + 16) {
      const offset = line < front ? line : line + left;
      element.append(offset.toString(16).padStart(4, '0') + '  ');
      for (let i = line; i < Math.min(line + 16, line < front ? front : bytes.length); i++) {
        const text = bytes[i].toString(16).padStart(2, '0');
        element.append(i >= from && i < to ? make('mark', {}, text) : text, i % 8 === 7 ? '  ' : ' ');
      }
      element.append('\n');
    }
    if (left > 0) { element.append(left + ' bytes before the ICRC are omitted\n'); }
  }
}

function hex(bytes) { return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join(' '); }

/** Bits of a frame, most significant first. */
function bitsOf(bytes, bit, bits) {
  let value = 0n;
  for (let i = 0; i < bits; i++) { value = value << 1n | BigInt(bytes[(bit + i) >> 3] >> (7 - ((bit + i) & 7)) & 1); }
  return value;
}

function written(value, bits, form) {
  const digits = value.toString(16).padStart(Math.ceil(bits / 4), '0');
  if (form === 'hex') { return '0x' + digits; }
  if (form === 'mac') { return digits.match(/../g).join(':'); }
  if (form === 'bytes') { return bits / 8 + ' bytes'; }
  if (form === 'ipv4') { return dotted(digits); }
  if (form === 'ipv6' && digits.startsWith('ffff'.padStart(24, '0'))) { return '::ffff:' + dotted(digits.slice(24)); }
  if (form === 'ipv6') { return digits.match(/..../g).map(part => part.replace(/^0{1,3}/, '')).join(':'); }
  return value.toString();
}

function dotted(digits) { return digits.match(/../g).map(part => parseInt(part, 16)).join('.'); }
