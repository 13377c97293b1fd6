import { expect, test } from 'vitest';
import { anything, onlyText } from '../../../../src/http/reverse-proxy/message-filter.ts';
import { recorderMessages } from '../../../../src/http/reverse-proxy/recorder-messages.ts';
import type { AccessRule } from '../../../../src/policy/access-rule.ts';
import { mayByDefault, mayEverything, type Capability } from '../../../../src/policy/capability.ts';
import type { Allowed } from '../../../../src/policy/decision.ts';
import { plainIdentity } from '../../../../src/policy/identity.ts';

const ptz = (camera: string, payload = 'MOVE_LEFT') => JSON.stringify({ topic: `${camera}/ptz`, payload });
const may = (...words: readonly Capability[]) => new Set(words);

const guard: Allowed = {
  outcome: 'allow',
  reason: 'allowed',
  identity: plainIdentity('gus', 'guard', 'session'),
  grant: new Set(['yard', 'garage']),
  may: may('live', 'ptz'),
  rule: { messages: true } as AccessRule,
  isGuarded: true,
};
const admin: Allowed = {
  ...guard,
  identity: plainIdentity('ada', 'admin', 'session'),
  grant: 'all',
  may: mayEverything,
  isGuarded: false,
};
const viewer: Allowed = { ...admin, identity: plainIdentity('vi', 'viewer', 'session') };
/** A viewer of a recorder that treats everyone as admin. */
const guardedViewer: Allowed = { ...viewer, isGuarded: true };

function messagesOf(permitted: Allowed, most = Number.POSITIVE_INFINITY) {
  let counted = 0;
  const stopped: string[] = [];
  const stream = { permitted, id: 'd', address: '', onGoOn: undefined as (() => void) | undefined };
  const messages = recorderMessages(stream, () => (counted += 1) <= most);
  messages.onDecided((texts) => stopped.push(...texts));
  return {
    messages,
    stopped,
    counted: () => counted,
    /** The stream continues by another decision. */
    decide: (changes: Partial<Allowed>) => {
      stream.permitted = { ...permitted, ...changes };
      stream.onGoOn?.();
    },
  };
}

test.each([
  ['someone who is limited to cameras', guard],
  ['a viewer who may not move', { ...guardedViewer, may: mayByDefault }],
])('%s gets messages by the current decision', (_, permitted) => {
  const { messages, decide } = messagesOf({ ...permitted, may: may('live') });
  const motion = JSON.stringify({ topic: 'yard/motion', payload: 'ON' });
  const unknown = JSON.stringify({ topic: 'new', payload: '' });
  expect([messages.accepted, messages.toClient(motion), messages.toClient(unknown)]).toEqual([
    onlyText,
    motion,
    undefined,
  ]);
  decide({ may: may('history') });
  expect(messages.toClient(motion)).toBeUndefined();
});

test('someone who is limited to cameras gets no other messages, even with every word', () => {
  const { messages } = messagesOf({ ...guard, may: mayEverything, isGuarded: true });
  const motion = (camera: string) => JSON.stringify({ topic: `${camera}/motion`, payload: 'ON' });
  expect(messages.toClient(motion('yard'))).toBe(motion('yard'));
  for (const text of [motion('gate'), '{"topic":"new","payload":""}', 'no JSON', ''])
    expect(messages.toClient(text)).toBeUndefined();
});

test('an admin gets everything', () => {
  const { messages } = messagesOf(admin);
  expect(messages.accepted).toEqual(anything);
  for (const text of ['no JSON', '{"topic":"new"}', '']) expect(messages.toClient(text)).toBe(text);
});

test.each([
  ['a viewer', viewer, anything, '{"topic":"restart"}'],
  ['a viewer, where the recorder treats everyone as admin', guardedViewer, onlyText, undefined],
])('%s gets messages of all cameras, and figures without commands', (_, permitted, { ofClient }, sent) => {
  const { messages } = messagesOf(permitted);
  expect(messages.accepted).toEqual({ ofClient, ofUpstream: onlyText.ofUpstream });
  const motion = JSON.stringify({ topic: 'yard/motion', payload: 'ON' });
  const of = (usage: object) => ({ cameras: {}, cpu_usages: { 7: usage } });
  const stats = (usage: object) => JSON.stringify({ topic: 'stats', payload: JSON.stringify(of(usage)) });
  expect(messages.toClient(motion)).toBe(motion);
  expect(messages.toClient(stats({ cpu: '1', cmdline: 'hunter2' }))).toBe(stats({ cpu: '1' }));
  for (const text of ['no JSON', '{"topic":"new"}', '']) expect(messages.toClient(text)).toBeUndefined();
  expect(messages.toUpstream('{"topic":"restart"}')).toBe(sent);
});

test('an admin sends what it likes, unchanged, if it is JSON', () => {
  const { messages } = messagesOf(admin);
  for (const text of [
    '{"topic":"restart"}',
    ' { "topic": "yard/ptz", "payload": "move_up", "x": 1 }',
    '{}',
    '3',
  ])
    expect(messages.toUpstream(text)).toBe(text);
  for (const text of ['', 'no JSON', '{"topic":"yard/ptz","payload":"MOVE_UP","x":NaN}'])
    expect(messages.toUpstream(text)).toBeUndefined();
});

test('someone who may move a camera moves it, and no one else', () => {
  for (const permitted of [guard, viewer, guardedViewer, admin])
    expect(messagesOf(permitted).messages.toUpstream(ptz('yard'))).toBe(ptz('yard'));
  for (const permitted of [guard, guardedViewer])
    expect(messagesOf({ ...permitted, may: mayByDefault }).messages.toUpstream(ptz('yard'))).toBeUndefined();
  expect(messagesOf(guard).messages.toUpstream(ptz('gate'))).toBeUndefined();
});

test('too many commands are dropped, and STOP never', () => {
  for (const permitted of [guard, admin]) {
    const { messages } = messagesOf(permitted, 2);
    const sent = ['MOVE_UP', 'preset_home', 'MOVE_UP', 'STOP', 'preset_home', 'STOP'].map((command) =>
      messages.toUpstream(ptz('yard', command)),
    );
    expect(sent.map((text) => text !== undefined)).toEqual([true, true, false, true, false, true]);
  }
});

test('what was dropped does not turn', () => {
  const { messages } = messagesOf(guard, 0);
  messages.toUpstream(ptz('yard'));
  expect([messages.needsClient(), messages.ending()]).toEqual([false, []]);
});

test('a camera that turns needs its client, and is stopped when it is gone', () => {
  for (const permitted of [guard, admin]) {
    const { messages } = messagesOf(permitted);
    expect(messages.needsClient()).toBe(false);
    messages.toUpstream(ptz('yard'));
    messages.toUpstream(ptz('garage', 'ZOOM_IN'));
    expect(messages.needsClient()).toBe(true);
    messages.toUpstream(ptz('yard', 'STOP'));
    expect([messages.ending(), messages.ending(), messages.needsClient()]).toEqual([
      [ptz('garage', 'STOP')],
      [],
      false,
    ]);
  }
});

test.each<readonly [name: string, changes: Partial<Allowed>, stopped: readonly string[]]>([
  ['the same', {}, []],
  ['without other capabilities', { may: may('ptz') }, []],
  ['without ptz', { may: may('live', 'history', 'export') }, ['yard', 'garage']],
  ['without one of the cameras', { grant: new Set(['garage', 'gate']) }, ['yard']],
  ['without any camera', { grant: new Set() }, ['yard', 'garage']],
])('cameras turn until a decision that is %s: %s', (_, changes, cameras) => {
  const { messages, stopped, decide } = messagesOf(guard);
  for (const camera of ['yard', 'garage']) messages.toUpstream(ptz(camera));
  decide(changes);
  expect(stopped).toEqual(cameras.map((camera) => ptz(camera, 'STOP')));
  for (const camera of cameras) {
    expect(messages.toUpstream(ptz(camera))).toBeUndefined();
    expect(messages.toUpstream(ptz(camera, 'STOP'))).toBeUndefined();
  }
  decide(changes);
  expect(stopped).toHaveLength(cameras.length);
  expect(messages.ending()).toHaveLength(2 - cameras.length);
});

test('a move for which there is no room is neither sent nor counted', () => {
  const { messages, counted } = messagesOf(admin);
  for (let i = 0; i < 256; i += 1) messages.toUpstream(ptz(`camera-${i}`));
  expect([messages.toUpstream(ptz('one-more')), counted()]).toEqual([undefined, 256]);
});
