-- SPDX-License-Identifier: Apache-2.0
--
-- Dissector for packets of hca-actors' captures (packets.pcapng) that Wireshark does not know or decodes wrongly: dynamically
-- connected transport (DC), and masked atomics over RC, XRC and DC.
--
--   once:       tshark -X lua_script:testkit/wireshark/hca-actors.lua -r packets.pcapng
--   always:     copy this file into the folder that Wireshark names under Help, About, Folders, Personal Lua Plugins
--   filters:    hca                             every packet of these formats
--               hca.dc.access_key               every CONNECT
--               hca.dc.session == 257           a session, both directions
--               hca.bth.operation == "DISCONNECT"
--               hca.atomic.size == 16           masked atomics on values of 16 bytes
--               hca.form contains "wire-dc-header"
--               hca.problem                     packets that do not fit their opcode or are cut off
--
-- Formats that no vendor has published are this model's own: each such packet names the rule (docs/rules/wire.md) that defines its
-- format. Another vendor's adapter may use the same bytes with another meaning: for such a capture choose InfiniBand in `Decode As`.
--
-- The script decodes the opcodes 0x40 to 0x57, 0xD3 and 0xD4 on UDP port 4791, including the BTH. Wireshark's own dissector
-- decodes the headers behind the BTH of 0x40 to 0x57 as reliable datagrams, at wrong offsets, and does not know 0xD3 and 0xD4.
-- All other packets are passed to it. Tried with Wireshark 4.0; uses only what Lua 5.2 and 5.4 (of later versions) share.

local PORT = 4791
local BTH_BYTES, ICRC_BYTES = 12, 4

local hca = Proto("hca", "hca-actors: DC and masked atomics over RoCEv2")

local TRANSPORTS = { [0] = "RC", [2] = "DC", [5] = "XRC" }

local MASKED = { [0xD3] = "MASKED_COMPARE_SWAP", [0xD4] = "MASKED_FETCH_ADD" }

-- Bytes of an operand, by the log2 in the header of a masked atomic.
local SIZES = { [0] = 1, 2, 4, 8, 16, 32, 64, 128, 256 }

local SYNDROMES = {
  [0x60] = "NAK psn sequence", [0x61] = "NAK invalid request", [0x62] = "NAK remote access",
  [0x63] = "NAK remote operation", [0x64] = "CNAK",
}

local f = {
  opcode = ProtoField.uint8("hca.bth.opcode", "Opcode", base.HEX),
  operation = ProtoField.string("hca.bth.operation", "Operation"),
  transport = ProtoField.string("hca.transport", "Transport"),
  solicited = ProtoField.bool("hca.bth.solicited", "Solicited event", 8, nil, 0x80),
  migreq = ProtoField.bool("hca.bth.migreq", "MigReq", 8, nil, 0x40),
  pad = ProtoField.uint8("hca.bth.pad", "Pad bytes", base.DEC, nil, 0x30),
  tver = ProtoField.uint8("hca.bth.version", "Transport version", base.DEC, nil, 0x0F),
  pkey = ProtoField.uint16("hca.bth.pkey", "P_Key", base.HEX),
  destqp = ProtoField.uint24("hca.bth.dest_qp", "Destination queue pair", base.HEX_DEC),
  ackreq = ProtoField.bool("hca.bth.ack_req", "Acknowledgement requested", 8, nil, 0x80),
  psn = ProtoField.uint24("hca.bth.psn", "PSN", base.DEC),

  dceth = ProtoField.none("hca.dc", "DCETH"),
  handshake = ProtoField.bool("hca.dc.full_handshake", "Full handshake", 8, nil, 0x80),
  version = ProtoField.uint8("hca.dc.version", "Version of the transport", base.DEC, nil, 0x0F),
  session = ProtoField.uint24("hca.dc.session", "Session", base.DEC),
  channel = ProtoField.uint8("hca.dc.channel", "Stream channel", base.DEC),
  sender = ProtoField.uint24("hca.dc.sender", "Sender: initiator or target", base.HEX_DEC),

  connect = ProtoField.none("hca.dc.connect", "DCCETH"),
  reconnect = ProtoField.bool("hca.dc.reconnect", "Reconnect", 8, nil, 0x10),
  reverse_sl = ProtoField.uint8("hca.dc.reverse_sl", "Service level of answers", base.DEC, nil, 0x0F),
  next_psn = ProtoField.uint24("hca.dc.next_psn", "PSN of the first packet to come", base.DEC),
  access_key = ProtoField.uint64("hca.dc.access_key", "Access key", base.HEX),

  srq = ProtoField.uint24("hca.xrc.srq", "Shared receive queue", base.DEC),

  atomic = ProtoField.none("hca.atomic", "Masked atomic"),
  log_size = ProtoField.uint8("hca.atomic.log_size", "Bytes of an operand, log2", base.DEC),
  size = ProtoField.uint16("hca.atomic.size", "Bytes of an operand", base.DEC),
  of = ProtoField.uint8("hca.atomic.transport", "Transport", base.DEC, TRANSPORTS),
  swap = ProtoField.bytes("hca.atomic.swap", "New value"),
  compare = ProtoField.bytes("hca.atomic.compare", "Value compared with"),
  swap_mask = ProtoField.bytes("hca.atomic.swap_mask", "Bits that are swapped"),
  compare_mask = ProtoField.bytes("hca.atomic.compare_mask", "Bits that are compared"),
  add = ProtoField.bytes("hca.atomic.add", "What is added"),
  boundary = ProtoField.bytes("hca.atomic.boundary", "Bits that no carry leaves"),
  original = ProtoField.uint64("hca.atomic.original", "Value before", base.HEX),

  address = ProtoField.uint64("hca.address", "Remote address", base.HEX),
  rkey = ProtoField.uint32("hca.rkey", "R_Key", base.HEX),
  length = ProtoField.uint32("hca.length", "Bytes of the message", base.DEC),
  plain_swap = ProtoField.uint64("hca.atomic.swap_or_add", "New value, or what is added", base.HEX),
  plain_compare = ProtoField.uint64("hca.atomic.compare_with", "Value compared with", base.HEX),
  syndrome = ProtoField.uint8("hca.aeth.syndrome", "Syndrome", base.HEX),
  msn = ProtoField.uint24("hca.aeth.msn", "MSN", base.DEC),
  immediate = ProtoField.uint32("hca.immediate", "Immediate", base.HEX),
  invalidates = ProtoField.uint32("hca.invalidates", "R_Key to invalidate", base.HEX),

  payload = ProtoField.bytes("hca.payload", "Payload"),
  icrc = ProtoField.uint32("hca.icrc", "ICRC", base.HEX),
  form = ProtoField.string("hca.form", "Form"),
  problem = ProtoField.string("hca.problem", "Problem"),
}
local fields = {}
for _, field in pairs(f) do
  table.insert(fields, field)
end
hca.fields = fields

local own = ProtoExpert.new("hca.own", "A form that is this model's own", expert.group.PROTOCOL, expert.severity.NOTE)
local malformed = ProtoExpert.new("hca.malformed", "Not as its opcode wants it", expert.group.MALFORMED, expert.severity.ERROR)
hca.experts = { own, malformed }

-- Reader of one packet: the current offset, the limits of its bytes, and the texts for the info column.
local function reader(tvb, pinfo, tree)
  local r = { tvb = tvb, tree = tree, at = 0, info = {}, ok = true }
  r.captured = tvb:captured_len()
  r.whole = tvb:reported_len()
  -- Headers end before the ICRC, or where the captured bytes end.
  r.limit = math.min(r.captured, r.whole - ICRC_BYTES)

  function r.complain(what)
    if r.ok then
      r.ok = false
      tree:add(f.problem, what):set_generated()
      tree:add_proto_expert_info(malformed, what)
      table.insert(r.info, "[" .. what .. "]")
    end
  end

  -- True if a header of that many bytes fits; otherwise reports that it does not fit or was not captured.
  function r.has(bytes, name)
    if r.ok and r.at + bytes > r.limit then
      r.complain(r.captured < r.whole and name .. " was not captured" or name .. " does not fit in")
    end
    return r.ok
  end

  function r.say(text)
    table.insert(r.info, text)
  end

  return r
end

local function bth(r)
  local t = r.tree:add(hca, r.tvb(0, BTH_BYTES), "Base transport header")
  t:add(f.opcode, r.tvb(0, 1))
  t:add(f.solicited, r.tvb(1, 1))
  t:add(f.migreq, r.tvb(1, 1))
  t:add(f.pad, r.tvb(1, 1))
  t:add(f.tver, r.tvb(1, 1))
  t:add(f.pkey, r.tvb(2, 2))
  t:add(f.destqp, r.tvb(5, 3))
  t:add(f.ackreq, r.tvb(8, 1))
  t:add(f.psn, r.tvb(9, 3))
  r.at = BTH_BYTES
  r.say("psn " .. r.tvb(9, 3):uint())
end

local function dceth(r)
  if not r.has(8, "DCETH") then return end
  local at = r.at
  local t = r.tree:add(f.dceth, r.tvb(at, 8))
  t:add(f.handshake, r.tvb(at, 1))
  t:add(f.version, r.tvb(at, 1))
  t:add(f.session, r.tvb(at + 1, 3))
  t:add(f.channel, r.tvb(at + 4, 1))
  t:add(f.sender, r.tvb(at + 5, 3))
  r.at = at + 8
  r.dc = {
    flags = r.tvb(at, 1):uint(), version = r.tvb(at, 1):bitfield(4, 4), full = r.tvb(at, 1):bitfield(0, 1) == 1,
    channel = r.tvb(at + 4, 1):uint(),
  }
  local session = r.tvb(at + 1, 3):uint()
  if session > 0 then r.say("session " .. session) end
  if r.dc.channel > 0 then r.say("channel " .. r.dc.channel) end
  if r.dc.full then r.say("full handshake") end
  r.say("from " .. r.tvb(at + 5, 3):uint())
end

local function dcceth(r)
  if not r.has(16, "DCCETH") then return end
  local at = r.at
  local t = r.tree:add(f.connect, r.tvb(at, 16))
  t:add(f.reconnect, r.tvb(at, 1))
  t:add(f.reverse_sl, r.tvb(at, 1))
  t:add(f.next_psn, r.tvb(at + 1, 3))
  t:add(f.access_key, r.tvb(at + 8, 8))
  r.at = at + 16
  if r.tvb(at, 1):bitfield(3, 1) == 1 then r.say("again") end
  r.say("key 0x" .. r.tvb(at + 8, 8):uint64():tohex())
end

local function reth(r)
  if not r.has(16, "RETH") then return end
  r.tree:add(f.address, r.tvb(r.at, 8))
  r.tree:add(f.rkey, r.tvb(r.at + 8, 4))
  r.tree:add(f.length, r.tvb(r.at + 12, 4))
  r.say("len " .. r.tvb(r.at + 12, 4):uint())
  r.at = r.at + 16
end

local function aeth(r)
  if not r.has(4, "AETH") then return end
  local syndrome = r.tvb(r.at, 1):uint()
  local kind = r.tvb(r.at, 1):bitfield(1, 2)
  r.tree:add(f.syndrome, r.tvb(r.at, 1))
  r.tree:add(f.msn, r.tvb(r.at + 1, 3))
  r.say(kind == 0 and "ACK" or kind == 1 and "RNR" or SYNDROMES[syndrome] or "syndrome " .. syndrome)
  r.say("msn " .. r.tvb(r.at + 1, 3):uint())
  r.at = r.at + 4
end

local function atomicack(r)
  if not r.has(8, "AtomicAckETH") then return end
  r.tree:add(f.original, r.tvb(r.at, 8))
  r.at = r.at + 8
end

local function atomiceth(r)
  if not r.has(28, "AtomicETH") then return end
  r.tree:add(f.address, r.tvb(r.at, 8))
  r.tree:add(f.rkey, r.tvb(r.at + 8, 4))
  r.tree:add(f.plain_swap, r.tvb(r.at + 12, 8))
  r.tree:add(f.plain_compare, r.tvb(r.at + 20, 8))
  r.at = r.at + 28
end

local function immediate(r)
  if not r.has(4, "immediate") then return end
  r.tree:add(f.immediate, r.tvb(r.at, 4))
  r.at = r.at + 4
end

local function ieth(r)
  if not r.has(4, "IETH") then return end
  r.tree:add(f.invalidates, r.tvb(r.at, 4))
  r.at = r.at + 4
end

-- Operations of DC by the low five bits of their opcodes: name, headers behind the DCETH, and whether a payload follows.
local OPERATIONS = {
  [0x00] = { "SEND_FIRST", {}, true },
  [0x01] = { "SEND_MIDDLE", {}, true },
  [0x02] = { "SEND_LAST", {}, true },
  [0x03] = { "SEND_LAST_IMM", { immediate }, true },
  [0x04] = { "SEND_ONLY", {}, true },
  [0x05] = { "SEND_ONLY_IMM", { immediate }, true },
  [0x06] = { "WRITE_FIRST", { reth }, true },
  [0x07] = { "WRITE_MIDDLE", {}, true },
  [0x08] = { "WRITE_LAST", {}, true },
  [0x09] = { "WRITE_LAST_IMM", { immediate }, true },
  [0x0A] = { "WRITE_ONLY", { reth }, true },
  [0x0B] = { "WRITE_ONLY_IMM", { reth, immediate }, true },
  [0x0C] = { "READ_REQUEST", { reth }, false },
  [0x0D] = { "READ_RESPONSE_FIRST", { aeth }, true },
  [0x0E] = { "READ_RESPONSE_MIDDLE", {}, true },
  [0x0F] = { "READ_RESPONSE_LAST", { aeth }, true },
  [0x10] = { "READ_RESPONSE_ONLY", { aeth }, true },
  [0x11] = { "ACKNOWLEDGE", { aeth }, false },
  [0x12] = { "ATOMIC_ACKNOWLEDGE", { aeth, atomicack }, true },
  [0x13] = { "COMPARE_SWAP", { atomiceth }, false },
  [0x14] = { "FETCH_ADD", { atomiceth }, false },
  [0x15] = { "CONNECT", { dcceth }, false },
  [0x16] = { "SEND_LAST_INV", { ieth }, true },
  [0x17] = { "SEND_ONLY_INV", { ieth }, true },
}
local DISCONNECT = { "DISCONNECT", {}, false }

-- Returns the length of the payload: the bytes between the headers and the ICRC without the padding; nil if it is 0 or wrong.
local function payload(r, allowed)
  if not r.ok then return nil end
  local pad = r.tvb(1, 1):bitfield(2, 2)
  local bytes = r.whole - ICRC_BYTES - pad - r.at
  if bytes < 0 then
    r.complain("padding does not fit in")
  elseif bytes > 0 and not allowed then
    r.complain("payload where none belongs")
  elseif bytes > 0 and r.at + bytes > r.captured then
    r.complain("payload was not captured")
  elseif bytes > 0 then
    r.say(bytes .. " B")
    return bytes
  end
  return nil
end

-- rules wire-masked-atomic, wire-xrc-masked, wire-dc-masked
local function masked(r, opcode)
  local t = r.tree:add(f.atomic, r.tvb(r.at, 4))
  local size = SIZES[r.tvb(r.at, 1):uint()] or 0
  t:add(f.log_size, r.tvb(r.at, 1))
  t:add(f.size, r.tvb(r.at, 1), size):set_generated()
  t:add(f.of, r.tvb(r.at + 1, 1))
  local transport = r.tvb(r.at + 1, 1):uint()
  r.at = r.at + 4
  if transport == 2 then
    dceth(r)
  elseif transport == 5 and r.has(4, "XRCETH") then
    r.tree:add(f.srq, r.tvb(r.at + 1, 3))
    r.say("srq " .. r.tvb(r.at + 1, 3):uint())
    r.at = r.at + 4
  end
  if r.has(12, "address and R_Key") then
    r.tree:add(f.address, r.tvb(r.at, 8))
    r.tree:add(f.rkey, r.tvb(r.at + 8, 4))
    r.at = r.at + 12
  end
  r.say("size " .. size)
  local operands = opcode == 0xD3 and { f.swap, f.compare, f.swap_mask, f.compare_mask } or { f.add, f.boundary }
  local bytes = payload(r, true)
  if bytes then r.tree:add(f.payload, r.tvb(r.at, bytes)) end
  if r.ok and bytes ~= size * #operands then
    r.complain("operands are not " .. #operands .. " of " .. size .. " bytes")
  elseif bytes then
    for i, operand in ipairs(operands) do
      r.tree:add(operand, r.tvb(r.at + (i - 1) * size, size))
    end
  end
end

-- The parts of the format that no standard and no vendor has published, in the same text as the comments of the capture.
local MASKED_RULES = { RC = "wire-masked-atomic", DC = "wire-dc-masked", XRC = "wire-xrc-masked" }

local function own_form(r, form)
  local told = {}
  if form.masked then
    table.insert(told, string.format(
      "opcode 0x%02x and what is behind the BTH (rule %s)", form.masked, MASKED_RULES[form.transport]))
  end
  if r.dc and (r.dc.flags ~= 0 or r.dc.channel ~= 0) then
    table.insert(told, "version " .. r.dc.version .. (r.dc.full and ", full handshake" or "")
      .. (r.dc.channel > 0 and ", channel " .. r.dc.channel or "") .. " in the DCETH (rule wire-dc-header)")
  end
  if form.operation == DISCONNECT[1] then
    table.insert(told, "0x55 with the solicited bit ends the session (rule wire-dc-connect)")
  elseif form.transport == "DC" and not form.masked
      and form.operation ~= "CONNECT" and form.operation ~= "ACKNOWLEDGE" then
    table.insert(told, "what is behind the DCETH is as in RC (rule wire-dc-class)")
  end
  return #told > 0 and "this model's own: " .. table.concat(told, "; ") or nil
end

-- Returns the format of the packet; nil if another dissector decodes it.
local function form_of(tvb)
  if tvb:captured_len() < BTH_BYTES then return nil end
  local opcode = tvb(0, 1):uint()
  if MASKED[opcode] then
    if tvb:captured_len() < BTH_BYTES + 4 then return nil end
    local transport = TRANSPORTS[tvb(BTH_BYTES + 1, 1):uint()]
    return transport and { transport = transport, operation = MASKED[opcode], masked = opcode } or nil
  end
  local dc = tvb(0, 1):bitfield(0, 3) == 2 and OPERATIONS[tvb(0, 1):bitfield(3, 5)]
  if not dc then return nil end
  if dc[1] == "CONNECT" and tvb(1, 1):bitfield(0, 1) == 1 then dc = DISCONNECT end
  return { transport = "DC", operation = dc[1], dc = dc }
end

local theirs = DissectorTable.get("udp.port"):get_dissector(PORT)

-- A packet that is cut off is passed with its captured bytes only, as if it were complete: an error of Wireshark's dissector at
-- a missing byte would leave this script uncaught, and after 200 such packets Wireshark stops the script. Other errors are in
-- the tree already.
local function pass_on(tvb, pinfo, tree)
  local there = tvb
  if tvb:captured_len() < tvb:reported_len() then
    if tvb:captured_len() == 0 then return 0 end
    there = tvb:range(0, tvb:captured_len()):tvb()
  end
  local done, bytes = pcall(function() return theirs:call(there, pinfo, tree) end)
  return done and bytes or tvb:captured_len()
end

function hca.dissector(tvb, pinfo, tree)
  local form = form_of(tvb)
  if not form then
    return theirs and pass_on(tvb, pinfo, tree) or 0
  end
  local item = tree:add(hca, tvb(), "hca-actors, " .. form.transport .. " " .. form.operation)
  local r = reader(tvb, pinfo, item)
  item:add(f.transport, form.transport):set_generated()
  item:add(f.operation, form.operation):set_generated()
  bth(r)
  if form.masked then
    if r.has(4, "size and transport") then masked(r, form.masked) end
  else
    dceth(r)
    for _, header in ipairs(form.dc[2]) do
      header(r)
    end
    local bytes = payload(r, form.dc[3])
    if bytes then item:add(f.payload, tvb(r.at, bytes)) end
  end
  if r.captured == r.whole and r.whole >= BTH_BYTES + ICRC_BYTES then
    item:add(f.icrc, tvb(r.whole - ICRC_BYTES, ICRC_BYTES))
  end
  local told = own_form(r, form)
  if told then
    item:add(f.form, told):set_generated()
    item:add_proto_expert_info(own, told)
  end
  pinfo.cols.protocol = "RoCE " .. form.transport
  pinfo.cols.info = form.operation .. " qp " .. tvb(5, 3):uint() .. " " .. table.concat(r.info, " ")
    .. (told and " (own form)" or "")
  return r.captured
end

DissectorTable.get("udp.port"):add(PORT, hca)
