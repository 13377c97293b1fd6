/** A request whose end two servers could see at different places (request smuggling; RFC 9112, 6.3 and 11.2). */
export interface FramingRow {
  readonly name: string;
  /** Lines that say where its body ends, byte for byte. */
  readonly lines: string;
  /** What follows the head, with `${hidden}` where another request hides. */
  readonly body: string;
  /** `refused`: a 4xx. `once`: one request, with all of the body in it. `either`: one of both. */
  readonly expect: 'refused' | 'once' | 'either';
  /** The fault is behind the head. */
  readonly isInBody?: true;
}

/** The request that no server may ever see. */
export const hidden = 'GET /api/hidden HTTP/1.1\r\nHost: gate.local\r\nRemote-User: mallory\r\n\r\n';

const length = `Content-Length: ${hidden.length}`;
const chunked = 'Transfer-Encoding: chunked';
const inChunks = `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`;
const noChunks = `0\r\n\r\n${hidden}`;

/** A server that reads the length has all of it in the body; one that reads the chunks has another request behind an empty body. */
const both = (name: string, lines: string, expect: FramingRow['expect'] = 'refused'): FramingRow => ({
  name,
  lines: lines.replaceAll('LENGTH', `Content-Length: ${noChunks.length}`),
  body: noChunks,
  expect,
});
const oneLength = (value: string, expect: FramingRow['expect'] = 'refused'): FramingRow => ({
  name: `Content-Length: ${JSON.stringify(value)}`,
  lines: `Content-Length: ${value}`,
  body: hidden,
  expect,
});
const chunks = (name: string, body: string): FramingRow => ({
  name: `a chunk with ${name}`,
  lines: chunked,
  body,
  expect: 'refused',
  isInBody: true,
});

export const framingRows: readonly FramingRow[] = [
  { name: 'a length', lines: length, body: hidden, expect: 'once' },
  { name: 'chunks', lines: chunked, body: inChunks, expect: 'once' },

  both('a length, then chunks', `LENGTH\r\n${chunked}`),
  both('chunks, then a length', `${chunked}\r\nLENGTH`),
  both('chunks in capitals', 'LENGTH\r\nTRANSFER-ENCODING: CHUNKED'),
  both('chunks twice', `LENGTH\r\n${chunked}\r\n${chunked}`),
  both('chunks and identity', `LENGTH\r\n${chunked}\r\nTransfer-Encoding: identity`),
  both('identity', 'LENGTH\r\nTransfer-Encoding: identity'),
  both('another coding', 'LENGTH\r\nTransfer-Encoding: xchunked'),
  both('a coding before the chunks', 'LENGTH\r\nTransfer-Encoding: gzip, chunked'),
  both('no coding', 'LENGTH\r\nTransfer-Encoding:'),
  both('a quoted coding', 'LENGTH\r\nTransfer-Encoding: "chunked"'),
  both('a parameter', 'LENGTH\r\nTransfer-Encoding: chunked;q=1'),
  both('a vertical tab', 'LENGTH\r\nTransfer-Encoding: \vchunked'),
  both('a tab behind', 'LENGTH\r\nTransfer-Encoding: chunked\t'),
  both('white space before the colon', 'LENGTH\r\nTransfer-Encoding : chunked'),
  both('white space before the name', 'LENGTH\r\n Transfer-Encoding: chunked'),
  both('a tab before the name', 'LENGTH\r\nX-Other: a\r\n\tTransfer-Encoding: chunked'),
  both('a folded value', 'LENGTH\r\nTransfer-Encoding:\r\n chunked'),
  both('a bare line feed', `LENGTH\r\nX-Other: a\n${chunked}`),
  both('a bare carriage return', `LENGTH\r\nX-Other: a\r${chunked}`),
  both('a NUL in the name', 'LENGTH\r\nTransfer-Encoding\0: chunked'),
  // Another header to everyone, which no one reads.
  both('an alias', 'LENGTH\r\nTransfer_Encoding: chunked', 'either'),
  both('an alias of the length', `Content_Length: 1\r\nLENGTH`, 'either'),

  { name: 'two lengths', lines: `${length}\r\nContent-Length: 0`, body: hidden, expect: 'refused' },
  { name: 'two other lengths', lines: `Content-Length: 0\r\n${length}`, body: hidden, expect: 'refused' },
  { name: 'the same length twice', lines: `${length}\r\n${length}`, body: hidden, expect: 'refused' },
  { name: 'a folded length', lines: 'Content-Length: 0\r\n 0', body: hidden, expect: 'refused' },
  oneLength(`0, ${hidden.length}`),
  oneLength(`${hidden.length}, ${hidden.length}`),
  oneLength(`+${hidden.length}`),
  oneLength('-1'),
  oneLength('0x10'),
  oneLength('1e1'),
  oneLength('1 0'),
  oneLength('1.0'),
  oneLength(''),
  oneLength('99999999999999999999'),
  oneLength(` ${hidden.length} `, 'once'),

  chunks('a sign', `+0\r\n\r\n${hidden}`),
  chunks('a negative size', `-1\r\n\r\n${hidden}`),
  chunks('a prefix', `0x0\r\n\r\n${hidden}`),
  chunks('a size beyond 64 bits', `FFFFFFFFFFFFFFFF1\r\n${hidden}`),
  chunks('no size', `\r\n\r\n${hidden}`),
  chunks('more than its size', `1\r\nabc\r\n0\r\n\r\n${hidden}`),
];
