import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendRaw, type RawRequest } from '../../support/raw-http.ts';
import { startRecordingUpstream, type RecordingUpstream } from '../../support/recording-upstream.ts';
import { startFront, frontNames, type RunningFront } from '../../support/start-front.ts';
import { startProxyGate, type ProxyGate } from './gates.ts';
import { reachedIdentity } from './reached-identity.ts';

let upstream: RecordingUpstream;
let gate: ProxyGate;
beforeAll(async () => {
  [upstream, gate] = await Promise.all([startRecordingUpstream(), startProxyGate()]);
});
afterAll(async () => {
  await gate.close();
  await upstream.close();
});

describe.each(frontNames)('%s, behind a proxy that signs users on', (name) => {
  let front: RunningFront;
  beforeAll(async () => {
    front = await startFront(name, { gateway: gate.address, recorder: upstream.address });
  });
  afterAll(() => front.close());
  const send = (uri: string, headers: RawRequest['headers'] = []) =>
    sendRaw(front.address, { uri, headers }, front.tls);

  test('its users get their role, and the recorder the identity of the gate alone', async () => {
    expect(JSON.parse((await send('/api/profile', gate.nell)).body)).toMatchObject({
      username: 'nell',
      role: 'operator',
      allowed_cameras: ['driveway'],
    });
    const answer = await send('/api/driveway/latest.jpg', [...gate.nell, ['Remote-Role', 'admin']]);
    expect(answer.status).toBe(200);
    const [reached] = upstream.takeReached();
    expect(reachedIdentity(reached?.rawHeaders)).toEqual({
      user: ['nell'],
      role: ['operator'],
      groups: ['group_operator'],
    });
    const names = (reached?.rawHeaders ?? []).map((text) => text.toLowerCase());
    for (const [header] of gate.nell) expect(names).not.toContain(header.toLowerCase());
  });

  test.each([
    ['no secret', [401], () => gate.nell.slice(1)],
    // The gate reports a malformed request; nginx passes on only 401 and 403.
    ['two users', [400, 401], () => [...gate.nell, ['X-Forwarded-User', 'admin'] as const]],
    ['another camera', [403], () => gate.nell],
  ] as const)('%s: refused', async (_, statuses, headers) => {
    expect(statuses).toContain((await send('/api/garage/latest.jpg', headers())).status);
    expect(upstream.takeReached()).toEqual([]);
  });
});
