import type { AccessRule } from '../../src/policy/access-rule.ts';
import type { RawRequest } from './raw-http.ts';

/** A path that the pattern of a row names. */
export function namedBy({ path }: Pick<AccessRule, 'path'>): string {
  return path.replaceAll('*', 'index-a1.js');
}

/** Request targets that a front and the gate could read differently: the path of a row, and what lies around it. */
function targetsAround(row: Pick<AccessRule, 'path'>): string[] {
  const path = namedBy(row);
  const parent = path.slice(0, path.lastIndexOf('/'));
  const others = row.path.includes('*')
    ? ['/', '//', '/?x', '/?x=/index-a1.js', '/%20', '/x.svg', '/x.woff?', '/a/b', '/a/b.js']
    : [];
  const slashes = [...path.matchAll(/\//g)].map(({ index }) => index);
  const letters = [...path.matchAll(/[a-z]/g)].map(({ index }) => index);
  const encoded = [letters[0], letters.at(-1), letters[Math.floor(letters.length / 2)]].map((at = 0) => {
    const code = path.charCodeAt(at).toString(16);
    return `${path.slice(0, at)}%${code}${path.slice(at + 1)}`;
  });
  return [
    path,
    parent,
    ...others.map((text) => parent + text),
    ...appended.map((text) => path + text),
    ...encoded,
    ...encoded.map((text) => text.replace('%', '%25')),
    ...slashes.map((at) => `${path.slice(0, at)}/${path.slice(at)}`),
    ...slashes.slice(1).map((at) => `${path.slice(0, at)}%2f${path.slice(at + 1)}`),
    path.toUpperCase(),
    `/x${path}`,
    `/x/..${path}`,
    `/.${path}`,
    `//gate.local${path}`,
    ...[path, `${parent}/`, `/${path}`].map((text) => `http://gate.local${text}`),
  ];
}

const slashesAndDots = ['/', '//', '/x', '/x/', '/..', '/../x', '/.', '.', '%2f', '%2fx', '%5c', '\\x'];
const queries = ['?', '?a=b', '?/../x', '?x=/', '%3fx', '%23', '#x', ';x'];
const appended = [...slashesAndDots, ...queries, '%00', '%0a', '%20', '%'];

const webSocket = [
  ['Connection', 'Upgrade'],
  ['Upgrade', 'websocket'],
  ['Sec-WebSocket-Version', '13'],
  ['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ=='],
] as const;

/** Ways to ask for a target: by method, with a body, to change the protocol. */
const waysToAsk: ReadonlyArray<Omit<RawRequest, 'uri'>> = [
  {},
  { headers: webSocket },
  { method: 'HEAD' },
  { method: 'POST', headers: [['Content-Type', 'application/json']], body: '{}' },
  { method: 'PUT', body: 'x' },
  {
    headers: [
      ['Connection', 'Upgrade, HTTP2-Settings'],
      ['Upgrade', 'h2c'],
      ['HTTP2-Settings', 'AAMAAABkAARAAAAAAAIAAAAA'],
    ],
  },
  { method: 'OPTIONS' },
  { method: 'PROPFIND' },
];

/** Every target in two ways at least, and the first ones, which lie nearest, in every way. */
export function requestsAround(row: Pick<AccessRule, 'path'>): RawRequest[] {
  return targetsAround(row).flatMap((uri, i) => {
    const ways = i < 4 ? waysToAsk : [{}, waysToAsk[1 + (i % (waysToAsk.length - 1))]];
    return ways.map((way): RawRequest => Object.assign({ uri }, way));
  });
}
