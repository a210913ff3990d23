import { BSON, type Document } from 'bson';

const HEADER = 16;
const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;

/** A received command, and how to write its answer. */
export interface WireCommand {
  readonly body: Document;
  answer(document: Document): Buffer;
}

/** Takes whole messages off the start of the received bytes. Returns the rest. */
export function readCommands(received: Buffer, each: (command: WireCommand) => void): Buffer {
  let rest = received;
  while (rest.length >= HEADER) {
    const length = rest.readInt32LE(0);
    if (rest.length < length) break;
    each(readCommand(rest.subarray(0, length)));
    rest = rest.subarray(length);
  }
  return rest;
}

function readCommand(message: Buffer): WireCommand {
  const requestId = message.readInt32LE(4);
  const opCode = message.readInt32LE(12);
  if (opCode === OP_MSG) return { body: readMsg(message), answer: (document) => msg(requestId, document) };
  if (opCode === OP_QUERY)
    return { body: readQuery(message), answer: (document) => reply(requestId, document) };
  throw new Error(`the test server does not know the operation ${opCode}`);
}

/** Flags, then sections: one of kind 0, the command, and any of kind 1, arrays of documents that belong to it. */
function readMsg(message: Buffer): Document {
  let body: Document = {};
  const arrays: Document = {};
  for (let at = HEADER + 4; at < message.length;) {
    const kind = message[at];
    const size = message.readInt32LE(at + 1);
    const section = message.subarray(at + 1, at + 1 + size);
    if (kind === 0) body = BSON.deserialize(section);
    else {
      const nameEnd = section.indexOf(0, 4);
      arrays[section.toString('utf8', 4, nameEnd)] = readDocuments(section.subarray(nameEnd + 1));
    }
    at += 1 + size;
  }
  return { ...body, ...arrays };
}

function readDocuments(bytes: Buffer): Document[] {
  const documents: Document[] = [];
  for (let at = 0; at < bytes.length; at += bytes.readInt32LE(at))
    documents.push(BSON.deserialize(bytes.subarray(at, at + bytes.readInt32LE(at))));
  return documents;
}

/** Flags, the name of a collection, two numbers, and the command. Only the first handshake has this format. */
function readQuery(message: Buffer): Document {
  const nameEnd = message.indexOf(0, HEADER + 4);
  return BSON.deserialize(message.subarray(nameEnd + 1 + 8));
}

function msg(responseTo: number, document: Document): Buffer {
  const section = Buffer.concat([Buffer.alloc(5), BSON.serialize(document)]);
  return withHeader(responseTo, OP_MSG, section);
}

function reply(responseTo: number, document: Document): Buffer {
  const fields = Buffer.alloc(20);
  fields.writeInt32LE(1, 16);
  return withHeader(responseTo, OP_REPLY, Buffer.concat([fields, BSON.serialize(document)]));
}

function withHeader(responseTo: number, opCode: number, content: Buffer): Buffer {
  const header = Buffer.alloc(HEADER);
  header.writeInt32LE(HEADER + content.length, 0);
  header.writeInt32LE(responseTo, 8);
  header.writeInt32LE(opCode, 12);
  return Buffer.concat([header, content]);
}
