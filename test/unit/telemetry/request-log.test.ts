import { expect, onTestFinished, test, vi } from 'vitest';
import { createLogger } from '../../../src/telemetry/logger.ts';
import { createRequestLog } from '../../../src/telemetry/request-log.ts';

function madeWith(clientOf = (address: string) => address, level = 'info') {
  const lines: Array<Record<string, unknown>> = [];
  const time = { passed: 0 };
  const write = (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>);
  const log = createRequestLog({
    logger: createLogger(level, { write }),
    clientOf,
    elapsed: () => time.passed,
  });
  onTestFinished(log.close);
  return { log, lines, time };
}

test('all lines of a client share its part of a budget, whatever they are about', () => {
  const { log, lines, time } = madeWith();
  const address = '192.0.2.66';
  for (let i = 0; i < 2_000; i += 1) log.refusal({ address }, 'refused');
  for (let i = 0; i < 60; i += 1) log.error({ address, err: new Error('broken') }, 'request failed');
  for (let i = 0; i < 8_000; i += 1) log.info({ address }, 'the client left before its answer');
  expect(lines).toHaveLength(2_000 + 60 + 40);
  // Others have theirs, and the next minute has room again.
  log.warn({ address: '192.0.2.1' }, 'request failed');
  expect(lines.at(-1)).toMatchObject({ level: 'warn', address: '192.0.2.1' });
  time.passed += 60_000;
  log.info({ address }, 'the client left before its answer');
  expect(lines.at(-1)).toMatchObject({ level: 'info', address });
  log.close();
  expect(lines.at(-1)).toMatchObject({ level: 'warn', left_out: 7_960 });
});

test('8,000 failures of one client are 300 lines', () => {
  const { log, lines } = madeWith();
  for (let i = 0; i < 8_000; i += 1)
    log.error({ address: `192.0.2.66`, err: new Error('broken') }, 'the API failed');
  expect(lines).toHaveLength(300);
});

test('many clients together have a budget, and so do lines about none', () => {
  const { log, lines } = madeWith();
  for (let i = 0; i < 1_000; i += 1) log.error({ err: new Error('broken') }, 'store away');
  expect(lines).toHaveLength(300);
  for (let client = 0; client < 4_000; client += 1)
    log.error({ address: `2001:db8::${client}`, err: new Error('broken') }, 'request failed');
  expect(lines).toHaveLength(1_200);
});

test('an address counts as that of its client, and a malformed one by itself', () => {
  const byNetwork = madeWith((address) => address.split('.').slice(0, 3).join('.'));
  for (let i = 0; i < 250; i += 1) byNetwork.log.warn({ address: `192.0.2.${i}` }, 'request failed');
  for (let i = 0; i < 250; i += 1) byNetwork.log.warn({ address: `192.0.2.${i}` }, 'request failed');
  expect(byNetwork.lines).toHaveLength(300);
  const broken = madeWith(() => {
    throw new Error('no address');
  });
  broken.log.warn({ address: 'x' }, 'request failed');
  expect(broken.lines).toHaveLength(1);
});

test('what was left out is one line a minute', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const { log, lines } = madeWith();
  for (let i = 0; i < 302; i += 1) log.warn({}, 'request failed');
  vi.advanceTimersByTime(60_000);
  expect(lines.at(-1)).toMatchObject({ level: 'warn', left_out: 2 });
  vi.advanceTimersByTime(60_000);
  expect(lines).toHaveLength(301);
});

test('lines at debug were asked for, and are all there', () => {
  const { log, lines } = madeWith(undefined, 'debug');
  for (let i = 0; i < 1_000; i += 1) log.debug({}, 'allowed');
  expect([lines.length, log.isLevelEnabled('debug')]).toEqual([1_000, true]);
});
