import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import { describe, expect, test, vi } from 'vitest';
import { clientHeaders } from '../../../src/http/reverse-proxy/upstream-headers.ts';
import { forWholeAnswer, WholeAnswer, changedAnswers } from '../../../src/recorder/whole-answer.ts';
import { mayByDefault, mayEverything } from '../../../src/policy/capability.ts';
import type { Allowed } from '../../../src/policy/decision.ts';
import { configurationWith } from '../../support/recorder-configuration.ts';

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
  const client = {
    response: response as unknown as ServerResponse,
    added: ['x-ours', '1'],
    answerHeaders: (lines: readonly string[]) => clientHeaders(lines, () => false),
    ...told,
  };
  const answer = new WholeAnswer(client, transform);
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

const permitted = (
  role: string,
  path = '/api/config',
  grant: Allowed['grant'] = 'all',
  may: Allowed['may'] = mayEverything,
): Allowed => ({
  outcome: 'allow',
  reason: 'allowed',
  path,
  grant,
  may,
  identity: { user: 'olaf', role, source: 'session', groups: '', email: '', name: '' },
});
const front = new Set(['front']);
const answer = (text: string, given = permitted('viewer')) =>
  changedAnswers.transform(Buffer.from(text), given).toString();

test.each<[role: string, path: string, grant: Allowed['grant'], expected: boolean]>([
  ['viewer', '/api/config', 'all', true],
  ['guest', '/API/Config/', front, true],
  ['admin', '/api/config', 'all', false],
  ['viewer', '/api/version', 'all', false],
  ['viewer', '/api/stats', 'all', true],
  ['viewer', '/api/stats/history', 'all', false],
  ['viewer', '/api/metrics', 'all', true],
  ['viewer', '/API/metrics/', 'all', true],
  ['admin', '/api/metrics', 'all', false],
  ['guest', '/api/stats', front, true],
  ['guest', '/Api/stats/', front, true],
  ['guest', '/api/stats/history', front, false],
  ['admin', '/api/stats', 'all', false],
  // An API token of an admin that is limited to cameras.
  ['admin', '/api/stats', front, true],
  ['guest', '/api/go2rtc/api/streams', front, true],
  ['viewer', '/api/go2rtc/api/streams/', 'all', true],
  ['admin', '/api/go2rtc/api/streams', 'all', false],
  ['viewer', '/api/go2rtc/streams/front', 'all', true],
  ['guest', `/API/go2rtc/Streams/${'a'.repeat(100)}/`, front, true],
  ['guest', '/api/go2rtc/streams', front, false],
  ['admin', '/api/go2rtc/streams/front', 'all', false],
])('the answer to %s who asks for %s with the grant %s is changed: %s', (role, path, grant, expected) => {
  expect(changedAnswers.isFor(permitted(role, path, grant))).toBe(expected);
});

describe('of the configuration', () => {
  test('returns JSON without secrets, and without other cameras for a limited role', () => {
    const sent = JSON.stringify(configurationWith('hunter2'));
    expect(answer(sent)).not.toContain('hunter2');
    expect(Object.keys((JSON.parse(answer(sent)) as { cameras: object }).cameras)).toEqual([
      'front',
      'garage',
    ]);
    const cut = answer(sent, permitted('guest', '/api/config', front));
    expect(cut).not.toMatch(/hunter2|garage/);
  });
});

describe('of the figures', () => {
  const figures = {
    cameras: { front: { camera_fps: 5, pid: 1 }, garage: { camera_fps: 4, pid: 2 } },
    cpu_usages: {
      'frigate.full_system': { cpu: '10.0' },
      2: { cpu: '1.0', cmdline: 'ffmpeg -i rtsp://u:p@10.0.0.2/garage' },
    },
    bandwidth_usages: { 2: { bandwidth: 3 } },
    processes: { garage: { pid: 2 } },
    service: { version: '0.17.2', uptime: 1 },
    detectors: { cpu1: { inference_speed: 10 } },
    camera_fps: 9,
    garage: 'what a later release adds',
  };
  const read = (text: string) => answer(text, permitted('guest', '/api/stats', front));

  test('there are those of the granted cameras and of the whole machine', () => {
    expect(JSON.parse(read(JSON.stringify(figures)))).toEqual({
      cameras: { front: { camera_fps: 5, pid: 1 } },
      cpu_usages: { 'frigate.full_system': { cpu: '10.0' } },
      service: { version: '0.17.2', uptime: 1 },
      detectors: { cpu1: { inference_speed: 10 } },
      camera_fps: 9,
    });
  });

  test('removes nothing from responses that are narrowed already', () => {
    const once = read(JSON.stringify(figures));
    expect(read(once)).toBe(once);
  });
});

describe.each(['/api/go2rtc/api/streams', '/api/go2rtc/streams/front'])('of a stream at %s', (path) => {
  const read = (text: string, may: Allowed['may'] = mayEverything) =>
    answer(text, permitted('guest', path, front, may));

  test('without talk, no microphone is offered', () => {
    const medias = [
      'video, recvonly, H264',
      'audio, recvonly, PCMA/8000',
      'audio, sendonly, PCMA/8000',
      'audio, sendrecv, PCMA/8000',
      'audio, recvonlyx, sendonly',
      'audio, recvonly',
      'something else',
    ];
    const shown = ['video, recvonly, H264', 'audio, recvonly, PCMA/8000', 'audio, recvonly'];
    const of = (kept: readonly string[]) => ({ producers: [{ medias: kept }], consumers: [] });
    const sent = JSON.stringify(of(medias));
    expect(JSON.parse(read(sent, mayByDefault))).toEqual(of(shown));
    expect(JSON.parse(read(sent))).toEqual(of(medias));
  });

  test('there are the kinds of its media, and neither its source nor who watches', () => {
    const stream = {
      producers: [
        {
          url: 'rtsp://admin:hunter2@10.0.0.1/front',
          remote_addr: '10.0.0.1:554',
          medias: ['video, recvonly, H264', 'audio, sendonly, PCMA/8000', 7],
        },
        { url: 'exec:/bin/play hunter2' },
        'hunter2',
      ],
      consumers: [{ remote_addr: '192.168.1.7:1', user_agent: 'someone' }],
    };
    expect(JSON.parse(read(JSON.stringify(stream)))).toEqual({
      producers: [
        { medias: ['video, recvonly, H264', 'audio, sendonly, PCMA/8000'] },
        { medias: [] },
        { medias: [] },
      ],
      consumers: [],
    });
  });
});

test.each(['/api/config', '/api/stats', '/api/go2rtc/api/streams', '/api/go2rtc/streams/front'])(
  'an answer to %s that is no JSON object goes no further',
  (path) => {
    for (const text of ['', 'null', '[]', '"x"', '{"a":1', '<title>Recorder</title>', '{}{}'])
      expect(() => answer(text, permitted('guest', path, front)), text).toThrow();
  },
);
