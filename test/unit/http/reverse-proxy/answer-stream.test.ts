import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { describe, expect, test, vi } from 'vitest';
import { AnswerStream } from '../../../../src/http/reverse-proxy/answer-stream.ts';
import { clientHeaders } from '../../../../src/http/reverse-proxy/upstream-headers.ts';

type Controller = Dispatcher.DispatchController;

/** A client's answer, an upstream's request, and the handler in between. */
function streamed({ closed = false, takesAll = true } = {}) {
  const response = Object.assign(new EventEmitter(), {
    closed,
    headersSent: false,
    writeHead: vi.fn(() => void (response.headersSent = true)),
    flushHeaders: vi.fn(),
    write: vi.fn(() => takesAll),
    end: vi.fn(),
    destroy: vi.fn(),
  });
  const rawHeaders = ['Content-Type', 'image/jpeg', 'Keep-Alive', 'timeout=5'].map((text) =>
    Buffer.from(text),
  );
  const controller = { rawHeaders, abort: vi.fn(), pause: vi.fn(), resume: vi.fn() };
  const told = { onFailure: vi.fn(), resolve: vi.fn(), reject: vi.fn() };
  const stream = new AnswerStream({
    response: response as unknown as ServerResponse,
    added: ['x-ours', '1'],
    answerHeaders: (lines) => clientHeaders(lines, () => false),
    ...told,
  });
  return { stream, response, controller, request: controller as unknown as Controller, ...told };
}

test('writes the answer as it arrives, with our header lines and without hop-by-hop ones', () => {
  const { stream, request, response, resolve } = streamed();
  stream.onRequestStart(request);
  stream.onResponseStart(request, 103);
  stream.onResponseStart(request, 200);
  stream.onResponseData(request, Buffer.from('picture'));
  expect(resolve).not.toHaveBeenCalled();
  stream.onResponseEnd();
  expect(response.writeHead.mock.calls).toEqual([[200, ['Content-Type', 'image/jpeg', 'x-ours', '1']]]);
  expect(response.write.mock.calls).toEqual([[Buffer.from('picture'), undefined]]);
  expect(response.end).toHaveBeenCalled();
  expect(resolve).toHaveBeenCalled();
});

test.each<[what: string, flushes: number, then: (stream: AnswerStream, request: Controller) => void]>([
  ['nothing follows yet', 1, () => undefined],
  ['a body follows at once', 0, (stream, request) => stream.onResponseData(request, Buffer.from('picture'))],
  ['the answer ends at once', 0, (stream) => stream.onResponseEnd()],
  [
    'the answer breaks off at once',
    0,
    (stream, request) => stream.onResponseError(request, new Error('broken')),
  ],
])('sends the header lines by themselves when %s: %i times', async (_, flushes, then) => {
  const { stream, request, response } = streamed();
  stream.onRequestStart(request);
  stream.onResponseStart(request, 200);
  then(stream, request);
  await nextTurn();
  expect(response.flushHeaders).toHaveBeenCalledTimes(flushes);
});

test('reads no more from the upstream until the client has read', () => {
  const { stream, request, controller, response } = streamed({ takesAll: false });
  stream.onRequestStart(request);
  stream.onResponseStart(request, 200);
  stream.onResponseData(request, Buffer.from('picture'));
  expect([controller.pause.mock.calls.length, controller.resume.mock.calls.length]).toEqual([1, 0]);
  response.emit('drain');
  expect(controller.resume).toHaveBeenCalledTimes(1);
});

describe('a client that leaves ends the request', () => {
  test('that is open', () => {
    const { stream, request, controller, response } = streamed();
    stream.onRequestStart(request);
    response.emit('close');
    expect(controller.abort).toHaveBeenCalledTimes(1);
  });

  test.each(['before it was passed on', 'before it had a connection'])('%s', (when) => {
    const { stream, request, controller, response } = streamed({
      closed: when === 'before it was passed on',
    });
    if (!response.closed) response.emit('close');
    stream.onRequestStart(request);
    expect(controller.abort).toHaveBeenCalledTimes(1);
  });

  test('which is not a failure of the upstream', () => {
    const { stream, request, response, onFailure, reject } = streamed();
    stream.onRequestStart(request);
    response.emit('close');
    stream.onResponseError(request, new Error('aborted'));
    expect(onFailure).not.toHaveBeenCalled();
    expect(reject).toHaveBeenCalled();
  });

  test('but not one whose answer is complete', () => {
    const { stream, request, controller, response } = streamed();
    stream.onRequestStart(request);
    stream.onResponseStart(request, 200);
    stream.onResponseEnd();
    response.emit('close');
    expect(controller.abort).not.toHaveBeenCalled();
  });
});

describe('an upstream that fails', () => {
  test('before its answer still gets an error', () => {
    const { stream, onFailure, reject } = streamed();
    stream.onResponseError(undefined, new Error('refused'));
    expect(onFailure).toHaveBeenCalled();
    expect(reject.mock.calls).toMatchObject([[{ code: 'upstream_unavailable' }]]);
  });

  test('in the middle of its answer cuts the connection to the client', () => {
    const { stream, request, response, onFailure, resolve } = streamed();
    stream.onRequestStart(request);
    stream.onResponseStart(request, 200);
    stream.onResponseError(request, new Error('broken off'));
    expect(onFailure).toHaveBeenCalled();
    expect(response.destroy).toHaveBeenCalled();
    expect(resolve).toHaveBeenCalled();
  });
});
