import type { Grant } from '../grant.ts';
import { isPlainObject } from '../json.ts';

/**
 * The figures of a recorder for anyone but an admin: `GET /api/stats`, the message `stats`, and `GET /api/metrics`. The commands of its
 * processes have passwords of cameras in them, and a recorder finds only some of these.
 */

type Entries = Readonly<Record<string, unknown>>;

/** Figures that belong to no single camera. Everything that isn't listed is for admins, such as notices. */
const commonFigures: ReadonlySet<string> = new Set([
  'detectors',
  'gpu_usages',
  'npu_usages',
  'service',
  'embeddings',
  'camera_fps',
  'process_fps',
  'skipped_fps',
  'detection_fps',
]);

/** Figures by process, whose name or number tells of other cameras. */
const processFigures: ReadonlySet<string> = new Set(['cpu_usages', 'bandwidth_usages', 'processes']);

/** Figures of one process. */
const ofProcess: ReadonlySet<string> = new Set(['pid', 'cpu', 'cpu_average', 'mem', 'bandwidth']);

const wholeMachine = 'frigate.full_system';

/** @returns the figures of the granted cameras and of the machine; of its processes too, where all cameras are granted */
export function figuresFor(figures: Entries, granted: Grant): Entries {
  const common = picked(figures, (name) => commonFigures.has(name));
  const cameras = entriesOf(figures['cameras']);
  if (granted === 'all')
    return { cameras, ...common, ...byProcess(picked(figures, (name) => processFigures.has(name))) };
  const whole = picked(entriesOf(figures['cpu_usages']), (name) => name === wholeMachine);
  return {
    cameras: picked(cameras, (camera) => granted.has(camera)),
    ...common,
    ...(Object.keys(whole).length === 0 ? {} : byProcess({ cpu_usages: whole })),
  };
}

function byProcess(kinds: Entries): Entries {
  return mapped(kinds, (kind) =>
    mapped(entriesOf(kind), (process) => picked(entriesOf(process), (name) => ofProcess.has(name))),
  );
}

/**
 * A recorder's metrics in the text format of Prometheus.
 * @returns the samples that have no label but those that never hold a command, or part of one
 */
export function metricsWithoutCommands(text: string): string {
  return text
    .split(/(?<=\n)/)
    .filter((line) => line.startsWith('#') || line.trim() === '' || isShown(line))
    .join('');
}

const sample =
  /^[A-Za-z_:][\w:]*(?:\{(?<labels>(?:[A-Za-z_]\w*="(?:[^"\\\n]|\\.)*",?)*)\})? [^\s{}"]+(?: -?\d+)?\r?\n?$/;

function isShown(line: string): boolean {
  const found = sample.exec(line);
  const labels = found?.groups?.['labels'] ?? '';
  return (
    found !== null &&
    labels.matchAll(/(\w+)="(?:[^"\\\n]|\\.)*"/g).every(([, name = '']) => shownLabels.has(name))
  );
}

/** Names of cameras, detectors, GPUs, sensors, disks and labels, and versions. Samples by process have others beside them. */
const shownLabels: ReadonlySet<string> = new Set([
  'camera',
  'camera_name',
  'device',
  'generation',
  'gpu_name',
  'implementation',
  'label',
  'latest_version',
  'major',
  'minor',
  'mount_type',
  'name',
  'patchlevel',
  'storage',
  'version',
]);

function entriesOf(value: unknown): Entries {
  return isPlainObject(value) ? value : {};
}

function picked(entries: Entries, isKept: (name: string) => boolean): Entries {
  return Object.fromEntries(Object.entries(entries).filter(([name]) => isKept(name)));
}

function mapped(entries: Entries, of: (value: unknown) => unknown): Entries {
  return Object.fromEntries(Object.entries(entries).map(([name, value]) => [name, of(value)]));
}
