import { beforeEach, describe, expect, test } from 'vitest';
import {
  createConfigurationReading,
  type ConfigurationReading,
} from '../../../src/recorder/configuration-reading.ts';
import type { Recorder } from '../../../src/recorder/connect-recorder.ts';
import type { RecorderAnswer } from '../../../src/recorder/recorder-client.ts';
import { fakeTimers, type FakeTimers } from './fake-timers.ts';

const recorder = (origin: string, authSecret?: string): Recorder => ({ address: { origin }, authSecret });
const one = recorder('http://one:8971');

const withCameras = (...cameras: string[]): RecorderAnswer => ({
  status: 200,
  body: JSON.stringify({ cameras: Object.fromEntries(cameras.map((camera) => [camera, {}])) }),
});

let timers: FakeTimers;
let log: Array<readonly [level: string, found: Record<string, unknown>]>;
let asked: string[];
let answer: (signal: AbortSignal) => Promise<RecorderAnswer>;
let profile: Record<string, unknown>;
let reading: ConfigurationReading;

beforeEach(() => {
  timers = fakeTimers();
  log = [];
  asked = [];
  answer = async () => withCameras('front');
  profile = { username: 'postern', role: 'viewer', allowed_cameras: ['front'] };
  const write = (level: string) => (found: unknown) =>
    void log.push([level, found as Record<string, unknown>]);
  reading = createConfigurationReading({
    connect: ({ address }) => ({
      askConfiguration: (signal) => {
        asked.push('origin' in address ? address.origin : address.socketPath);
        return answer(signal);
      },
      askProfile: async () => ({ status: 200, body: JSON.stringify(profile) }),
      close: () => undefined,
    }),
    timers,
    clock: { now: () => timers.elapsed() },
    logger: { info: write('info'), warn: write('warn') },
  });
});

/** Lets time pass, and what was asked for be answered. */
async function pass(milliseconds: number): Promise<void> {
  timers.advance(milliseconds);
  await new Promise(setImmediate);
}

async function read(wanted: Recorder = one): Promise<void> {
  reading.read(wanted);
  await pass(0);
}

const cameras = () => [...(reading.configuration()?.cameras.keys() ?? [])];

describe('the cameras of a recorder', () => {
  test('are read at once, and every five minutes', async () => {
    await read();
    expect(cameras()).toEqual(['front']);
    answer = async () => withCameras('front', 'garage');
    await pass(299_999);
    expect(cameras()).toEqual(['front']);
    await pass(1);
    expect(cameras()).toEqual(['front', 'garage']);
    expect(log).toEqual([
      ['info', { cameras: ['front'] }],
      ['info', { cameras: ['front', 'garage'] }],
    ]);
  });

  test('are read again with each configuration, and stay the same object while they are the same', async () => {
    await read();
    const known = reading.configuration();
    await pass(10_000);
    await read();
    expect(asked).toHaveLength(2);
    expect(reading.configuration()).toBe(known);
    expect(reading.knowledge()).toMatchObject({ heardAt: 10_000 });
    expect(log).toHaveLength(1);
  });

  test('are taken over when only their order has changed', async () => {
    answer = async () => withCameras('front', 'garage');
    await read();
    answer = async () => withCameras('garage', 'front');
    await pass(300_000);
    expect(cameras()).toEqual(['garage', 'front']);
  });

  test('are not read without a recorder', async () => {
    reading.read(undefined);
    await pass(600_000);
    expect([asked, reading.knowledge(), reading.configuration()]).toEqual([[], undefined, undefined]);
  });
});

describe('an unreadable answer', () => {
  const faults: ReadonlyArray<readonly [reason: string, answer: typeof answer]> = [
    ['no_answer', () => Promise.reject(new Error('refused'))],
    ['error_status', async () => ({ status: 500, body: '' })],
    ['asks_for_login', async () => ({ status: 401, body: '' })],
    ['asks_for_login', async () => ({ status: 302, body: '', location: 'https://one:8971/login' })],
    ['no_configuration', async () => ({ status: 200, body: '{}' })],
  ];
  test.each(faults)('changes nothing, and is said once: %s', async (fault, bad) => {
    await read();
    answer = bad;
    await pass(300_000);
    await pass(60_000);
    await pass(60_000);
    expect(asked.length).toBeGreaterThan(3);
    expect(cameras()).toEqual(['front']);
    expect(reading.knowledge()).toMatchObject({ fault, heardAt: 0 });
    expect(log.slice(1)).toEqual([['warn', expect.objectContaining({ reason: fault, ageSeconds: 300 })]]);
  });

  test.each([
    ['the port speaks TLS', 'speaks_tls'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'speaks_no_tls'],
    ['CERT_HAS_EXPIRED', 'certificate_unknown'],
    ['ECONNREFUSED', 'no_answer'],
  ])('has the reason of its error: %s', async (words, fault) => {
    answer = () => Promise.reject(new Error(words));
    await read();
    expect(reading.knowledge()).toMatchObject({ fault });
    expect(log).toEqual([['warn', expect.objectContaining({ reason: fault, detail: words })]]);
  });

  test('is retried after a second, then less and less often', async () => {
    answer = () => Promise.reject(new Error('refused'));
    await read();
    for (const pause of [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]) {
      const before = asked.length;
      await pass(pause - 1);
      expect(asked).toHaveLength(before);
      await pass(1);
      expect(asked).toHaveLength(before + 1);
    }
    answer = async () => withCameras('front');
    await pass(60_000);
    expect(cameras()).toEqual(['front']);
    expect(reading.knowledge()).toMatchObject({ fault: undefined });
  });

  test('includes one that takes more than five seconds', async () => {
    answer = (signal) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('late'))));
    await read();
    await pass(5_000);
    expect(reading.knowledge()).toMatchObject({ fault: 'no_answer' });
    expect(log).toEqual([['warn', expect.objectContaining({ detail: 'nothing within 5 s' })]]);
  });
});

describe('another recorder', () => {
  test('is asked at once, and answers of the former one no longer count', async () => {
    await read();
    answer = () => Promise.reject(new Error('refused'));
    await read(recorder('http://other:8971'));
    expect(asked).toEqual(['http://one:8971', 'http://other:8971']);
    expect(cameras()).toEqual([]);
  });

  test('is the same one if only the secret differs', async () => {
    await read();
    answer = () => Promise.reject(new Error('refused'));
    await read(recorder('http://one:8971', 'word'));
    expect(cameras()).toEqual(['front']);
  });

  test('is not confused with late answers of the former one', async () => {
    let say: (answer: RecorderAnswer) => void = () => undefined;
    answer = () => new Promise((resolve) => (say = resolve));
    await read();
    answer = async () => withCameras('other');
    reading.read(recorder('http://other:8971'));
    say(withCameras('front'));
    await pass(0);
    await pass(0);
    expect(cameras()).toEqual(['other']);
  });
});

describe('a recorder that takes everyone for an admin', () => {
  const everyone = { username: 'anonymous', role: 'admin', allowed_cameras: ['front'] };
  const warnings = () => log.filter(([level]) => level === 'warn');
  beforeEach(() => void (profile = everyone));

  test('is logged once', async () => {
    await read();
    await pass(0);
    expect(reading.knowledge()).toMatchObject({ isEveryoneAdmin: true, fault: undefined });
    await pass(300_000);
    await pass(0);
    expect(asked).toHaveLength(2);
    expect(warnings()).toEqual([['warn', expect.stringMatching(/^everybody_is_admin: .*only guard/)]]);
  });

  test('is unknown before an answer, and known even without a readable configuration', async () => {
    answer = async () => ({ status: 500, body: '' });
    const before = reading.knowledge();
    await read();
    await pass(0);
    expect(before?.isEveryoneAdmin).toBeUndefined();
    expect(reading.knowledge()).toMatchObject({ isEveryoneAdmin: true, fault: 'error_status' });
  });

  test('is recognized when it takes a viewer for an admin', async () => {
    profile = { username: 'postern', role: 'admin', allowed_cameras: ['front'] };
    await read();
    await pass(0);
    expect(reading.knowledge()).toMatchObject({ isEveryoneAdmin: true });
  });

  test('stays one while it does not answer, until it answers otherwise', async () => {
    await read();
    await pass(0);
    const former = answer;
    answer = () => Promise.reject(new Error('refused'));
    await pass(300_000);
    expect(reading.knowledge()).toMatchObject({ isEveryoneAdmin: true, fault: 'no_answer' });
    answer = former;
    profile = { username: 'postern', role: 'viewer', allowed_cameras: [] };
    await pass(1_000);
    await pass(0);
    expect(reading.knowledge()).toMatchObject({ isEveryoneAdmin: false, fault: undefined });
    await read(recorder('http://other:8971'));
    await pass(0);
    expect(reading.knowledge()).toMatchObject({ isEveryoneAdmin: false });
  });
});

test('asks a recorder that may have changed again, after a second at the earliest', async () => {
  await read();
  reading.askAgain();
  await pass(999);
  expect(asked).toHaveLength(1);
  await pass(1);
  expect(asked).toHaveLength(2);
});

test('asks nothing after `close`', async () => {
  await read();
  reading.close();
  await pass(600_000);
  expect(asked).toHaveLength(1);
});
