import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { figuresFor, metricsWithoutCommands } from '../../../../src/policy/recorder/figures.ts';
import { assertCases } from '../../../support/assert-cases.ts';

const command = 'ffmpeg -i rtsp://admin:hunter2@10.0.0.5/garage';
const figures = {
  cameras: { front: { camera_fps: 5, pid: 811 }, garage: { camera_fps: 4, pid: 812 } },
  detectors: { cpu1: { inference_speed: 10, pid: 7 } },
  gpu_usages: { 'intel-vaapi': { gpu: '1%' } },
  service: { version: '0.18', storage: { '/media': { total: 1 } } },
  detection_fps: 3,
  cpu_usages: {
    'frigate.full_system': { cpu: '7', mem: '8' },
    812: {
      cpu: '1',
      cpu_average: '2',
      mem: '3',
      cmdline: command,
      command,
      environ: { PASSWORD: 'hunter2' },
    },
    813: command,
  },
  bandwidth_usages: { 812: { bandwidth: 9, cmdline: command } },
  processes: { go2rtc: { pid: 813, cmdline: command } },
  notices: [{ text: 'hunter2' }],
  something_new: 'hunter2',
};
const common = {
  detectors: figures.detectors,
  gpu_usages: figures.gpu_usages,
  service: figures.service,
  detection_fps: 3,
};

describe('figures', () => {
  test('of all cameras have amounts of processes, and neither commands nor notices', () => {
    expect(figuresFor(figures, 'all')).toEqual({
      cameras: figures.cameras,
      ...common,
      cpu_usages: {
        'frigate.full_system': { cpu: '7', mem: '8' },
        812: { cpu: '1', cpu_average: '2', mem: '3' },
        813: {},
      },
      bandwidth_usages: { 812: { bandwidth: 9 } },
      processes: { go2rtc: { pid: 813 } },
    });
  });

  test('of some cameras have those and the machine', () => {
    expect(figuresFor(figures, new Set(['front', 'attic']))).toEqual({
      cameras: { front: { camera_fps: 5, pid: 811 } },
      ...common,
      cpu_usages: { 'frigate.full_system': { cpu: '7', mem: '8' } },
    });
  });

  test.each([[{}], [{ cameras: null, cpu_usages: [], processes: 'x' }]])('%j', (sent) => {
    expect(figuresFor(sent, 'all')).toMatchObject({ cameras: {} });
    expect(figuresFor(sent, new Set(['front']))).toEqual({ cameras: {} });
  });
});

describe('metrics', () => {
  test.each([
    '# HELP frigate_cpu_usage_percent Process CPU usage %',
    '# TYPE frigate_camera_fps gauge',
    'frigate_camera_fps{camera_name="garage"} 5.0',
    'frigate_camera_events_total{camera="garage",label="person"} 2.0',
    'frigate_detector_inference_speed_seconds{name="cpu1"} 0.01',
    'frigate_storage_mount_type_info{mount_type="ext4",storage="/media"} 1.0',
    'frigate_service_info{latest_version="0.17.2",version="0.17.2-0"} 1.0',
    'python_gc_objects_collected_total{generation="0"} 1021.0',
    'python_info{implementation="CPython",major="3",minor="11",patchlevel="2",version="3.11.2"} 1.0',
    'process_open_fds 12.0',
    'process_start_time_seconds 1.79317172154e+09 1793171721000',
    'frigate_camera_fps{camera_name="a \\"quoted} name\\\\"} NaN',
    '',
  ])('%s stays', (line) => {
    expect(metricsWithoutCommands(`${line}\n`)).toBe(`${line}\n`);
    expect(metricsWithoutCommands(line)).toBe(line);
  });

  test.each([
    `frigate_cpu_usage_percent{cmdline="${command}",name="front",pid="812",process="ffmpeg",type="Camera"} 1.0`,
    // Releases write the command into other labels too.
    `frigate_mem_usage_percent{name="${command}",pid="1",process="${command}",type="Other"} 1.0`,
    `frigate_bandwidth_usages_kBps{cmdline="${command}",name="x",pid="1",process="x"} 1.0`,
    'frigate_something{command="x"} 1.0',
    'frigate_camera_fps{camera_name="x" cmdline="y"} 1.0',
    'frigate_camera_fps{camera_name="x",cmdline=\'y\'} 1.0',
    'frigate_camera_fps{camera_name="x"} 1.0 # {cmdline="y"} 1.0',
    'frigate_camera_fps {cmdline="y"} 1.0',
    command,
    '{"cmdline": "x"}',
  ])('%s is left out', (line) => {
    const kept = 'frigate_camera_fps{camera_name="garage"} 5.0\n';
    expect(metricsWithoutCommands(`${kept}${line}\n${kept}${line}`)).toBe(`${kept}${kept}`);
  });

  test('with any labels, none but those that are known', () => {
    const name = fc.constantFrom('camera_name', 'name', 'cmdline', 'process', 'pid', 'Name', 'cmdline2');
    const value = fc.string({ unit: fc.constantFrom('x', '"', '\\', '{', '}', ',', '=', ' ', 'n', '\n') });
    const label = fc
      .tuple(name, value)
      .map(
        ([key, text]) =>
          `${key}="${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`,
      );
    assertCases(
      fc.property(fc.array(label, { maxLength: 4 }), (labels) => {
        const line = `some_metric{${labels.join()}} 1.0\n`;
        const isKnown = labels.every((text) => /^(?:camera_name|name)=/.test(text));
        expect(metricsWithoutCommands(line)).toBe(isKnown ? line : '');
      }),
      { numRuns: 1_000 },
    );
  });
});
