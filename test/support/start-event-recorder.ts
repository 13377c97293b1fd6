import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { EventRecord } from '../../src/events/event-record.ts';
import type { RecorderFile } from '../unit/events/recorder-file.ts';

/** Two seconds of VP8: Debian's Chromium has no H.264. */
const clip = readFileSync(new URL('../data/clip.webm', import.meta.url));

export interface EventRecorder {
  /** `http://host:port` */
  readonly url: string;
  /** Adds an event, as the newest. */
  readonly add: (event: EventRecord) => void;
  /** Something more is known of an event. */
  readonly change: (id: string, changes: Partial<EventRecord>) => void;
  /** Takes out the targets of the requests since the last call. */
  readonly takeAsked: () => string[];
  /** Has something more at the paths that match: the clip, this picture, or this as JSON. */
  readonly have: (paths: RegExp, what: 'clip' | object) => void;
  /** Answers requests for paths that match with a status alone; undefined: no more. */
  readonly failAt: (paths: RegExp | undefined, status?: number) => void;
  close(): Promise<void>;
}

/**
 * What a recorder of 0.16 or later has of events: lists by its own parameters, thumbnails and snapshots as files, and clips. It
 * filters as it is asked, and leaves the roles to the gate.
 * @param recorded newest first
 * @param file the database that the gate reads of which camera an event is
 */
export async function startEventRecorder(
  recorded: readonly EventRecord[],
  file: RecorderFile,
): Promise<EventRecorder> {
  const events: EventRecord[] = [];
  const add = (event: EventRecord) => {
    events.unshift(event);
    const { id, label, camera, start_time, has_clip: hasClip } = event;
    file.addEvent({ id, label, camera, start_time, has_clip: Number(hasClip), thumbnail: '' });
  };
  for (const event of recorded.toReversed()) add(event);
  const asked: string[] = [];
  const more: Array<readonly [paths: RegExp, what: 'clip' | object]> = [];
  let failing: RegExp | undefined;
  let failure = 503;
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://recorder');
    asked.push(request.url ?? '');
    if (failing?.test(pathname) === true) {
      response.writeHead(failure).end();
      return;
    }
    if (pathname === '/api/events') return answer(response, filtered(events, searchParams));
    if (pathname === '/api/event_ids') {
      const ids = (searchParams.get('ids') ?? '').split(',');
      return answer(
        response,
        events.filter(({ id }) => ids.includes(id)),
      );
    }
    const [, id, name] = /^\/api\/events\/([^/]+)\/([^/]+)$/.exec(pathname) ?? [];
    const event = events.find((known) => known.id === decodeURIComponent(id ?? ''));
    if (event !== undefined && name === 'clip.mp4' && event.has_clip) return sendClip(request, response);
    if (event !== undefined && (name === 'thumbnail.jpg' || (name === 'snapshot.jpg' && event.has_snapshot)))
      return void response.setHeader('content-type', 'image/svg+xml').end(pictureOf(event, name));
    const what = more.findLast(([paths]) => paths.test(pathname))?.[1];
    if (what === 'clip') return sendClip(request, response);
    if (what instanceof Buffer) return void response.setHeader('content-type', 'image/jpeg').end(what);
    if (what !== undefined) return answer(response, what);
    if (pathname === '/api/version') return void response.end('0.17.2-test');
    response.writeHead(404, { 'content-type': 'application/json' }).end('{"success":false}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add,
    change: (id, changes) => {
      const place = events.findIndex((event) => event.id === id);
      const event = events[place];
      if (event !== undefined) events[place] = { ...event, ...changes };
    },
    have: (paths, what) => void more.push([paths, what]),
    takeAsked: () => asked.splice(0),
    failAt: (paths, status = 503) => {
      failing = paths;
      failure = status;
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** As the recorder filters, with `all` for no filter. */
function filtered(events: readonly EventRecord[], query: URLSearchParams): EventRecord[] {
  const names = (key: string) => {
    const value = query.get(key) ?? 'all';
    return value === 'all' ? undefined : value.split(',');
  };
  const cameras = names('cameras');
  const labels = names('labels') ?? names('label');
  const after = Number(query.get('after') ?? -Infinity);
  const before = Number(query.get('before') ?? Infinity);
  return events
    .filter(({ camera }) => cameras?.includes(camera) ?? true)
    .filter(({ label }) => labels?.includes(label) ?? true)
    .filter(({ start_time: start }) => start > after && start < before)
    .slice(0, Number(query.get('limit') ?? 100));
}

function answer(response: ServerResponse, value: unknown): void {
  response.setHeader('content-type', 'application/json').end(JSON.stringify(value));
}

/** A picture with the name of what it shows. */
function pictureOf({ label, camera }: EventRecord, name: string): string {
  const hue = [...camera].reduce((sum, letter) => sum + letter.charCodeAt(0) * 7, 0) % 360;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="180"><rect width="320" height="180" fill="hsl(${hue} 35% 35%)"/>
    <text x="16" y="96" font-size="28" fill="#fff">${label}</text><text x="16" y="130" font-size="16" fill="#fff">${name}</text></svg>`;
}

function sendClip({ headers }: IncomingMessage, response: ServerResponse): void {
  const [, first] = /^bytes=(\d+)-/.exec(headers.range ?? '') ?? [];
  response.setHeader('content-type', 'video/webm').setHeader('accept-ranges', 'bytes');
  if (first === undefined) return void response.end(clip);
  const start = Number(first);
  response.setHeader('content-range', `bytes ${start}-${clip.length - 1}/${clip.length}`);
  response.writeHead(206).end(clip.subarray(start));
}
