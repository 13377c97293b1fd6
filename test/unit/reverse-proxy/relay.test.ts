import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import { describe, expect, test, vi } from 'vitest';
import { Relay } from '../../../src/reverse-proxy/relay.ts';

type Controller = Dispatcher.DispatchController;

/** A client's answer and an upstream's request, and the relay between them. */
function relayed({ closed = false, takesAll = true } = {}) {
  const response = Object.assign(new EventEmitter(), {
    closed,
    headersSent: false,
    writeHead: vi.fn(() => void (response.headersSent = true)),
    write: vi.fn(() => takesAll),
    end: vi.fn(),
    destroy: vi.fn(),
  });
  const rawHeaders = ['Content-Type', 'image/jpeg', 'Keep-Alive', 'timeout=5'].map((text) =>
    Buffer.from(text),
  );
  const controller = { rawHeaders, abort: vi.fn(), pause: vi.fn(), resume: vi.fn() };
  const told = { onFailure: vi.fn(), resolve: vi.fn(), reject: vi.fn() };
  const relay = new Relay(
    response as unknown as ServerResponse,
    ['x-ours', '1'],
    told.onFailure,
    told.resolve,
    told.reject,
  );
  return { relay, response, controller, request: controller as unknown as Controller, ...told };
}

test('writes the answer as it arrives, with our header lines and without those of the hop', () => {
  const { relay, request, response, resolve } = relayed();
  relay.onRequestStart(request);
  relay.onResponseStart(request, 103);
  relay.onResponseStart(request, 200);
  relay.onResponseData(request, Buffer.from('picture'));
  expect(resolve).not.toHaveBeenCalled();
  relay.onResponseEnd();
  expect(response.writeHead.mock.calls).toEqual([[200, ['Content-Type', 'image/jpeg', 'x-ours', '1']]]);
  expect(response.write.mock.calls).toEqual([[Buffer.from('picture'), undefined]]);
  expect(response.end).toHaveBeenCalled();
  expect(resolve).toHaveBeenCalled();
});

test('reads no more of the upstream until the client has read', () => {
  const { relay, request, controller, response } = relayed({ takesAll: false });
  relay.onRequestStart(request);
  relay.onResponseStart(request, 200);
  relay.onResponseData(request, Buffer.from('picture'));
  expect([controller.pause.mock.calls.length, controller.resume.mock.calls.length]).toEqual([1, 0]);
  response.emit('drain');
  expect(controller.resume).toHaveBeenCalledTimes(1);
});

describe('a client that leaves ends the request', () => {
  test('that is under way', () => {
    const { relay, request, controller, response } = relayed();
    relay.onRequestStart(request);
    response.emit('close');
    expect(controller.abort).toHaveBeenCalledTimes(1);
  });

  test.each(['before it was passed on', 'before it had a connection'])('%s', (when) => {
    const { relay, request, controller, response } = relayed({ closed: when === 'before it was passed on' });
    if (!response.closed) response.emit('close');
    relay.onRequestStart(request);
    expect(controller.abort).toHaveBeenCalledTimes(1);
  });

  test('which is no failure of the upstream', () => {
    const { relay, request, response, onFailure, reject } = relayed();
    relay.onRequestStart(request);
    response.emit('close');
    relay.onResponseError(request, new Error('aborted'));
    expect(onFailure).not.toHaveBeenCalled();
    expect(reject).toHaveBeenCalled();
  });

  test('but not one whose answer is over', () => {
    const { relay, request, controller, response } = relayed();
    relay.onRequestStart(request);
    relay.onResponseStart(request, 200);
    relay.onResponseEnd();
    response.emit('close');
    expect(controller.abort).not.toHaveBeenCalled();
  });
});

describe('an upstream that fails', () => {
  test('before its answer can still be answered for', () => {
    const { relay, onFailure, reject } = relayed();
    relay.onResponseError(undefined, new Error('refused'));
    expect(onFailure).toHaveBeenCalled();
    expect(reject.mock.calls).toMatchObject([[{ code: 'upstream_unavailable' }]]);
  });

  test('in the middle of its answer cuts the client off', () => {
    const { relay, request, response, onFailure, resolve } = relayed();
    relay.onRequestStart(request);
    relay.onResponseStart(request, 200);
    relay.onResponseError(request, new Error('broken off'));
    expect(onFailure).toHaveBeenCalled();
    expect(response.destroy).toHaveBeenCalled();
    expect(resolve).toHaveBeenCalled();
  });
});
