import { afterAll, beforeAll, expect, test } from 'vitest';
import { startRecordingUpstream, type RecordingUpstream } from '../../support/recording-upstream.ts';
import { exchange } from '../../../src/api/doctor/front/exchange.ts';
import { mediaGuarded } from '../../../src/api/doctor/front/media-checks.ts';
import type { SignedIn } from '../../../src/api/doctor/front/examination.ts';
import { startFront, frontNames } from '../../support/start-front.ts';
import { startSessionGate, type SessionGate } from './gates.ts';

let upstream: RecordingUpstream;
let gate: SessionGate;

beforeAll(async () => {
  [upstream, gate] = await Promise.all([startRecordingUpstream(), startSessionGate()]);
});
afterAll(async () => {
  await gate.close();
  await upstream.close();
});

// Caddy answers only for its name, which no name server has.
test.each(frontNames.filter((name) => name !== 'Caddy'))(
  'the doctor finds nothing open behind %s',
  async (name) => {
    const front = await startFront(name, {
      gateway: gate.address,
      relay: gate.relay,
      recorder: upstream.address,
    });
    try {
      const [host = '', port] = front.address.split(':');
      const place = { host, port: Number(port), tls: front.tls };
      const send: SignedIn['send'] = (request) => exchange(place, request, 15_000);
      const [first, profile] = [await send({ target: '/' }), await send({ target: '/api/profile' })];
      const found = await mediaGuarded.run({
        options: { cameras: [] },
        context: {},
        session: { missing: 'none' },
        send,
        first,
        profile,
      } as unknown as SignedIn);
      expect(found).toMatchObject([{ result: 'ok' }]);
      expect(upstream.takeReached()).toEqual([]);
    } finally {
      await front.close();
    }
  },
);
