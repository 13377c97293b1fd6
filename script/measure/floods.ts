import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { browserKeys, startPushService } from '../../test/support/push-service.ts';
import { keptConnection } from '../../test/support/raw-http.ts';
import { viewerToken } from '../../test/support/session-tokens.ts';
import { startRecorder, type Recorder } from '../../test/support/start-recorder.ts';
import { inTurns, median, milliseconds, ratio, times } from './figures.ts';
import { startBare, startGate, type Gate } from './gate.ts';
import { askAtRate, type Load } from './load.ts';
import { atEnd, temporaryDirectory } from './programs.ts';
import { cameras, questionHeaders, writePageQuestions } from './questions.ts';
import type { Measurement } from './targets.ts';

const rate = 500;
const clients = 64;

export const floods: Measurement = {
  name: 'floods',
  title: 'Floods',
  sentence: `A client asks ${rate} times a second, whether the answers come or not, and another one asks bare node:http in the same way. Meanwhile ${clients} clients sign in without pause (no limit for failures), or Frigate tells of an alert and Postern pushes it to 1,000 browsers. All share two cores.`,
  async measure({ rounds, seconds, scale }) {
    const recorder = await startRecorder(cameras, {});
    const service = await startPushService();
    atEnd(recorder.close);
    atEnd(service.close);
    const config = {
      cameras,
      upstream: `http://${recorder.address}`,
      auth: { failed_login_rate_limit: null },
      notifications: { push_services: [service.origin] },
    };
    const gate = await startGate(config, { listen: 'socket' });
    const cookie = `session_token=${viewerToken()}`;
    const bare = await startBare(gate, cookie, `${gate.address}.bare`);
    const file = join(temporaryDirectory('floods'), 'questions');
    const lines = writePageQuestions(file, 'viewer', 20_000);
    const load = { ...gate, headers: questionHeaders(cookie), lines };
    // An alert to a thousand takes seconds.
    const duration = 2 * seconds;
    const measure = () => askBeside(load, bare.address, duration);
    const browsers = Math.max(20, Math.round(1_000 * scale));
    await subscribe(gate, service.origin, browsers);
    const pushed = () => service.received.length;
    await alertUntil(recorder, () => pushed() >= browsers);
    const figures = await inTurns(rounds, {
      quiet: measure,
      signIns: () => during(signInFlood(gate, 1_000 * duration + 1_000), measure),
      alert: async () => {
        service.received.length = 0;
        tellAlert(recorder);
        const beside = await measure();
        while (pushed() < browsers) await sleep(50);
        return beside;
      },
    });
    const row = (title: string, name: keyof typeof figures) => [
      title,
      milliseconds(median(figures[name], 'p99')),
      milliseconds(median(figures[name], 'bare')),
      times(median(figures[name], 'against')),
      name === 'quiet' ? '' : times(ratio(figures[name], figures.quiet, 'p99')),
    ];
    return {
      says: `While ${clients} clients sign in, 99 of 100 answers come within ${milliseconds(median(figures.signIns, 'p99'))}.`,
      rows: [
        ['p99', 'Postern', 'bare node:http', 'against bare', 'against quiet'],
        row('quiet', 'quiet'),
        row('a flood of sign-ins', 'signIns'),
        row('an alert to 1,000 browsers', 'alert'),
      ],
      figures: {
        signInFlood: median(figures.signIns, 'against'),
        alert: ratio(figures.alert, figures.quiet, 'p99'),
      },
    };
  },
};

/** Asks both at once: what else the machine does slows both. @returns milliseconds, and their ratio */
async function askBeside(load: Load, bare: string, seconds: number) {
  const [own, other] = await Promise.all([
    askAtRate(load, rate, seconds, true),
    askAtRate({ ...load, address: bare }, rate, seconds, true),
  ]);
  return { p99: own.p99, bare: other.p99, against: own.p99 / other.p99 };
}

async function during<Figure>(other: Promise<void>, measure: () => Promise<Figure>): Promise<Figure> {
  await sleep(500);
  const figure = await measure();
  await other;
  return figure;
}

/** Signs in without pause. @param duration milliseconds */
async function signInFlood({ address, password }: Gate, duration: number): Promise<void> {
  const end = performance.now() + duration;
  const body = JSON.stringify({ user: 'admin', password });
  const headers = [['Content-Type', 'application/json']] as const;
  let signedIn = 0;
  const client = async () => {
    using connection = keptConnection(address);
    while (performance.now() < end) {
      const { status } = await connection.send({ method: 'POST', uri: '/api/login', headers, body });
      if (status === 200) signedIn += 1;
      // Rejected at once; a loop that measures itself waits.
      else await sleep(50);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  if (signedIn === 0) throw new Error('no one could sign in');
}

/** Switches pushes on in so many browsers, each of a user of its own. */
async function subscribe({ address }: Gate, service: string, browsers: number): Promise<void> {
  using connection = keptConnection(address);
  for (let n = 0; n < browsers; n += 1) {
    const body = JSON.stringify({ endpoint: `${service}/${n}`, keys: browserKeys().keys });
    const headers = [
      ['Cookie', `session_token=${viewerToken(n)}`],
      ['Content-Type', 'application/json'],
    ] as const;
    const answer = await connection.send({ method: 'POST', uri: '/postern/api/push', headers, body });
    if (answer.status !== 201) throw new Error(`subscribing: ${answer.status} ${answer.body}`);
  }
}

let alerts = 0;

function tellAlert(recorder: Recorder): void {
  alerts += 1;
  const start = Date.now() / 1_000;
  const after = {
    id: `${start.toFixed(3)}-r${alerts}`,
    camera: cameras[alerts % cameras.length],
    severity: 'alert',
    start_time: start,
    data: { objects: ['person'], detections: [`${start.toFixed(3)}-e${alerts}`] },
  };
  recorder.tell('reviews', { type: 'new', before: after, after });
}

/** Postern begins to read the recorder's messages seconds after the first browser. */
async function alertUntil(recorder: Recorder, isDone: () => boolean): Promise<void> {
  for (let second = 0; second < 60 && !isDone(); second += 1) {
    if (second % 10 === 6) tellAlert(recorder);
    await sleep(1_000);
  }
  if (!isDone()) throw new Error('the alert reached no one');
}
