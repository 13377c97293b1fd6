import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createEventsApp } from '../../../src/events/events-app.ts';
import { recorderDatabase } from '../../../src/events/recorder-database.ts';
import {
  happeningOf,
  sampleCameras,
  sampleEvents,
  sampleRows,
  isSample,
  servesSample,
} from '../../../src/events/sample.ts';
import { accessOfRole } from '../../../src/policy/role-access.ts';
import { createRoundRobin } from '../../../src/round-robin.ts';
import { createLogger } from '../../../src/telemetry/logger.ts';
import { rolesOf } from '../../support/roles.ts';
import { projectRoot } from '../../support/start-gateway.ts';
import { resolve } from '../config/resolve-document.ts';

const asksAlone = { listen: { authenticated: 'off', internal: 'off' } };

describe('where the sample is', () => {
  test.each<[what: string, document: object, is: boolean, isServed: boolean]>([
    ['a fresh start', {}, true, true],
    [
      'fronts reach the events app',
      {
        upstream: 'http://127.0.0.1:5002',
        events: { listen: '127.0.0.1:5002' },
        networking: asksAlone,
      },
      true,
      true,
    ],
    ['a recorder answers for its own events', { upstream: 'http://127.0.0.1:5001' }, false, false],
    [
      'only other fronts ask, and they know their recorder',
      { networking: { ...asksAlone, forward_auth: { authenticated: '127.0.0.1:5010' } } },
      true,
      false,
    ],
    ["the recorder's own file", { events: { database: '/var/lib/recorder.db' } }, false, false],
  ])('%s: %#', (_, document, is, isServed) => {
    expect([isSample(resolve(document)), servesSample(resolve(document))]).toEqual([is, isServed]);
  });
});

const noon = Date.UTC(2026, 10, 23, 12) / 1000;
const day = 86_400;

describe('its events', () => {
  test.each([noon, noon - 1, noon + 1_234.5, noon + 12 * 3_600, noon + 2_400.3])(
    'are of the day before %d',
    (now) => {
      const events = sampleEvents(now);
      expect(events).toHaveLength(36);
      for (const { start_time: start, end_time: end } of events) {
        expect(end ?? Infinity).toBeLessThanOrEqual(now);
        expect(start).toBeGreaterThan(now - day - 2 * 2_400);
      }
      expect(events[0]?.end_time).toBeGreaterThan(now - 2 * 2_400);
      expect(new Set(events.map(({ camera }) => camera))).toEqual(sampleCameras);
      expect(new Set(events.map(({ id }) => id)).size).toBe(36);
    },
  );

  test('keep their ids from day to day, so that links to them stay', () => {
    const idsAt = (now: number) => sampleEvents(now).map(({ id }) => id);
    expect(idsAt(noon + 30 * day)).toEqual(idsAt(noon));
    expect(idsAt(noon).toSorted()).toEqual(idsAt(noon + 5 * 3_600).toSorted());
  });

  test('have pictures and a clip each', () => {
    for (const { id } of sampleEvents(noon))
      for (const end of ['.webp', '-small.webp', '.mp4'])
        expect(existsSync(join(projectRoot, 'data', 'sample', `${happeningOf(id)}${end}`))).toBe(true);
  });

  test('are there again a moment later, and gone once a recorder is connected', () => {
    let now = noon;
    let isServed = true;
    const database = recorderDatabase(
      sampleRows(
        () => now,
        () => isServed,
      ),
    );
    const range = { labels: undefined, after: undefined, before: undefined, beforeId: undefined };
    const newest = () => database.newestEvents(range, 1).places[0]?.startTime;
    const before = newest();
    expect(before).toBe(sampleEvents(noon)[0]?.start_time);
    now += 3_600;
    expect(newest()).toBe(sampleEvents(now)[0]?.start_time);
    expect(newest()).not.toBe(before);
    expect(database.cameras()).toEqual([...sampleCameras].toSorted());
    expect([database.camerasOfReview('one'), database.camerasOfExport('one')]).toEqual([[], []]);
    isServed = false;
    expect(newest()).toBeUndefined();
    expect(database.cameras()).toEqual([]);
    database.close();
  });
});

describe('its pictures and clips', () => {
  const roles = rolesOf([['neighbour', new Set(['driveway'])]]);
  const ask = (uri: string, role: string, { isServed = true, range = '' } = {}) => {
    const app = createEventsApp({
      database: recorderDatabase(
        sampleRows(
          () => noon,
          () => isServed,
        ),
      ),
      roundRobin: createRoundRobin(),
      grantOf: (name) => accessOfRole(name, roles).cameras,
      onRefused: () => undefined,
      sample: { isServed: () => isServed, now: () => noon * 1000 },
      logger: createLogger('fatal', { write: () => undefined }),
    });
    const headers = { 'remote-user': 'nell', 'remote-role': role, ...(range && { range }) };
    return app.request(uri, { headers });
  };
  const idOf = (name: string) => sampleEvents(noon).find(({ id }) => happeningOf(id) === name)?.id ?? '';
  const stroll = `/api/events/${idOf('stroll')}`;

  test.each<[uri: string, role: string, status: number, type?: string]>([
    ['/api/driveway/latest.jpg?height=360', 'neighbour', 200, 'image/webp'],
    ['/api/driveway/latest.webp', 'neighbour', 200, 'image/webp'],
    ['/api/garage/latest.jpg', 'neighbour', 403],
    ['/api/garage/latest.jpg', 'viewer', 200, 'image/webp'],
    ['/api/garage', 'neighbour', 403],
    ['/api/driveway?fps=5', 'neighbour', 200, 'multipart/x-mixed-replace; boundary=frame'],
    ['/api/attic/latest.jpg', 'viewer', 404],
    ['/api/driveway/other.jpg', 'viewer', 404],
    [`${stroll}/clip.mp4`, 'neighbour', 200, 'video/mp4'],
    [`${stroll}/snapshot.jpg`, 'neighbour', 200, 'image/webp'],
    [`${stroll}/thumbnail.jpg`, 'neighbour', 200, 'image/webp'],
    [`${stroll}/other`, 'neighbour', 404],
    [`/api/events/${idOf('workshop')}/clip.mp4`, 'neighbour', 403],
    [`/api/events/${idOf('workshop')}/clip.mp4`, 'viewer', 200, 'video/mp4'],
    ['/api/events/sample-99-stroll/clip.mp4', 'viewer', 404],
    ['/api/events/sample-..-stroll/clip.mp4', 'viewer', 404],
  ])('%s for %s: %d', async (uri, role, status, type) => {
    const answer = await ask(uri, role);
    expect(answer.status).toBe(status);
    if (type !== undefined) expect(answer.headers.get('content-type')).toBe(type);
    expect(answer.headers.get('x-postern-media')).toBeNull();
    await answer.body?.cancel();
  });

  test.each(['/api/driveway/latest.jpg', '/api/driveway', `${stroll}/clip.mp4`])(
    'with a recorder %s is not there',
    async (uri) => {
      const answer = await ask(uri, 'viewer', { isServed: false });
      expect([answer.status, answer.headers.get('x-postern-media')]).toEqual([404, 'none']);
    },
  );

  test('a live picture moves', async () => {
    const reader = (await ask('/api/driveway', 'viewer')).body?.getReader();
    const parts = [await reader?.read(), await reader?.read()].map((read) => Buffer.from(read?.value ?? []));
    await reader?.cancel();
    for (const part of parts) {
      const [, length] =
        /^--frame\r\nContent-Type: image\/webp\r\nContent-Length: (\d+)\r\n\r\n/.exec(
          part.toString('latin1'),
        ) ?? [];
      expect(part.length - part.indexOf('\r\n\r\n') - 4 - 2).toBe(Number(length));
    }
  });

  test.each<
    [range: string, status: number, expected: (length: number) => [from: number, to: number] | undefined]
  >([
    ['bytes=0-1', 206, () => [0, 2]],
    ['bytes=10-', 206, (length) => [10, length]],
    ['bytes=-5', 206, (length) => [length - 5, length]],
    ['bytes=5-999999999', 206, (length) => [5, length]],
    ['bytes=999999999-', 416, () => undefined],
    ['bytes=9-3', 416, () => undefined],
    ['bytes=0-1,5-6', 200, (length) => [0, length]],
    ['bytes=-', 200, (length) => [0, length]],
    ['lines=0-1', 200, (length) => [0, length]],
  ])('a part of a clip, %s: %d', async (range, status, expected) => {
    const whole = Buffer.from(await (await ask(`${stroll}/clip.mp4`, 'viewer')).arrayBuffer());
    const answer = await ask(`${stroll}/clip.mp4`, 'viewer', { range });
    expect(answer.status).toBe(status);
    const part = expected(whole.length);
    if (part === undefined) {
      expect(answer.headers.get('content-range')).toBe(`bytes */${whole.length}`);
      return;
    }
    const [from, to] = part;
    expect(Buffer.from(await answer.arrayBuffer()).equals(whole.subarray(from, to))).toBe(true);
    expect(answer.headers.get('content-range')).toBe(
      status === 206 ? `bytes ${from}-${to - 1}/${whole.length}` : null,
    );
  });
});
