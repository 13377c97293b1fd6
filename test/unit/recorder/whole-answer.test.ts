import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import { describe, expect, test, vi } from 'vitest';
import { clientHeaders } from '../../../src/http/reverse-proxy/upstream-headers.ts';
import { forWholeAnswer, WholeAnswer } from '../../../src/recorder/whole-answer.ts';

type Controller = Dispatcher.DispatchController;

/** An answer of an upstream that is read whole. */
function read(transform: (body: Buffer) => Buffer, headers: readonly string[] = []) {
  const response = Object.assign(new EventEmitter(), {
    closed: false,
    writeHead: vi.fn(),
    end: vi.fn(),
  });
  const rawHeaders = headers.map((text) => Buffer.from(text));
  const controller = { rawHeaders, abort: vi.fn() };
  const told = { onFailure: vi.fn(), resolve: vi.fn(), reject: vi.fn() };
  const answer = new WholeAnswer(
    response as unknown as ServerResponse,
    ['x-ours', '1'],
    transform,
    told.onFailure,
    told.resolve,
    told.reject,
    (lines) => clientHeaders(lines, () => false),
  );
  return { answer, response, controller, request: controller as unknown as Controller, ...told };
}

const upperCase = (body: Buffer) => Buffer.from(body.toString().toUpperCase());

test('gives the client what was made of the body, and nothing that was true of the other alone', () => {
  const headers = [
    'Content-Type',
    'text/plain',
    'Content-Length',
    '4',
    'ETag',
    '"a"',
    'Keep-Alive',
    'timeout=5',
  ];
  const { answer, request, response, resolve } = read(upperCase, headers);
  answer.onRequestStart(request);
  answer.onResponseStart(request, 200);
  for (const part of ['pä', 'ss']) answer.onResponseData(request, Buffer.from(part));
  expect(response.writeHead).not.toHaveBeenCalled();
  answer.onResponseEnd();
  expect(response.writeHead.mock.calls).toEqual([
    [200, ['Content-Type', 'text/plain', 'x-ours', '1', 'content-length', '5']],
  ]);
  expect(response.end.mock.calls).toEqual([[Buffer.from('PÄSS')]]);
  expect(resolve).toHaveBeenCalled();
});

test('of another status: nothing of the body', () => {
  const { answer, request, response } = read(upperCase);
  answer.onRequestStart(request);
  answer.onResponseStart(request, 500);
  answer.onResponseData(request, Buffer.from('secret'));
  answer.onResponseEnd();
  expect(response.writeHead.mock.calls[0]?.[0]).toBe(500);
  expect(response.end.mock.calls).toEqual([[Buffer.alloc(0)]]);
});

describe('no answer', () => {
  test('of what nothing can be made', () => {
    const { answer, request, response, reject } = read(() => {
      throw new Error('no JSON');
    });
    answer.onRequestStart(request);
    answer.onResponseStart(request, 200);
    answer.onResponseEnd();
    expect([response.writeHead.mock.calls, reject.mock.calls[0]?.[0]]).toMatchObject([
      [],
      { code: 'upstream_unavailable' },
    ]);
  });

  test('that is too long, or in a coding that was not asked for', () => {
    const long = read(upperCase);
    long.answer.onRequestStart(long.request);
    long.answer.onResponseStart(long.request, 200);
    for (let i = 0; i < 9; i += 1) long.answer.onResponseData(long.request, Buffer.alloc(1_048_576));
    expect(long.controller.abort).toHaveBeenCalled();
    const coded = read(upperCase, ['Content-Encoding', 'gzip']);
    coded.answer.onRequestStart(coded.request);
    coded.answer.onResponseStart(coded.request, 200);
    expect(coded.controller.abort).toHaveBeenCalled();
  });

  test('to a client that leaves, and that is no fault of the upstream', () => {
    const { answer, request, response, controller, onFailure } = read(upperCase);
    answer.onRequestStart(request);
    response.emit('close');
    expect(controller.abort).toHaveBeenCalledTimes(1);
    answer.onResponseError(undefined, new Error('aborted'));
    expect(onFailure).not.toHaveBeenCalled();
  });
});

test('the upstream is asked for all of it, in no coding', () => {
  const headers = ['Accept-Encoding', 'gzip', 'Range', 'bytes=0-1', 'If-None-Match', '"a"', 'Accept', '*/*'];
  expect(forWholeAnswer(headers)).toEqual(['Accept', '*/*']);
});
