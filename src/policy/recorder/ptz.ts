import type { Allowed } from '../decision.ts';
import { isGranted } from '../grant.ts';
import { isPlainObject, readJson } from '../json.ts';

/** A message of a client's that moves a camera: topic `<camera>/ptz`, the command as payload. */
export interface PtzCommand {
  readonly camera: string;
  /** `continuous`: the camera turns until it gets `STOP`. `single`: it stops by itself. */
  readonly kind: 'continuous' | 'single' | 'stop';
}

/** A recorder has no camera with a longer name. */
const topicOfPtz = /^([^/]{1,128})\/ptz$/;

/** Topics that a recorder treats as PTZ for an admin. */
const anyTopicOfPtz = /^([^/]{1,128})\/[^/]*ptz$/;

/** A recorder that treats everyone as admin could read any other word as anything. The third number, the zoom, is read from 0.18 on. */
const exact =
  /^(?:STOP|MOVE_(?:UP|DOWN|LEFT|RIGHT)|ZOOM_(?:IN|OUT)|FOCUS_(?:IN|OUT)|preset_[^\p{C}]{1,128}|move_relative(?:_-?\d{1,9}(?:\.\d{1,9})?){2,3})$/u;

const continuous = /^(?:move_(?:up|down|left|right)|zoom_(?:in|out)|focus_(?:in|out))$/;

/** @returns undefined if the message moves no camera */
export function ptzCommandOf(text: string): PtzCommand | undefined {
  const message = readJson(text);
  if (!isPlainObject(message) || typeof message['topic'] !== 'string') return undefined;
  const camera = anyTopicOfPtz.exec(message['topic'])?.[1];
  const { payload } = message;
  if (camera === undefined || typeof payload !== 'string') return undefined;
  // Recorders ignore the case.
  const word = payload.toLowerCase();
  return { camera, kind: word === 'stop' ? 'stop' : continuous.test(word) ? 'continuous' : 'single' };
}

/** Whether a message of anyone but an admin moves a camera, and exactly in the words that are documented. */
export function isPermittedMove(topic: string, payload: unknown, rights: PtzRights): payload is string {
  const camera = topicOfPtz.exec(topic)?.[1];
  return (
    camera !== undefined && mayMove(camera, rights) && typeof payload === 'string' && exact.test(payload)
  );
}

type PtzRights = Pick<Allowed, 'grant' | 'may'>;

export function mayMove(camera: string, { grant, may }: PtzRights): boolean {
  return may.has('ptz') && isGranted(grant, camera);
}

/** No one moves more cameras at once. */
const mostTurning = 256;

/** Cameras that a client has set moving and has not stopped. */
export class TurningCameras {
  readonly #cameras = new Set<string>();

  get any(): boolean {
    return this.#cameras.size > 0;
  }

  hasRoomFor({ camera, kind }: PtzCommand): boolean {
    return kind !== 'continuous' || this.#cameras.size < mostTurning || this.#cameras.has(camera);
  }

  note({ camera, kind }: PtzCommand): void {
    if (kind === 'stop') this.#cameras.delete(camera);
    if (kind === 'continuous') this.#cameras.add(camera);
  }

  /** @returns the message that stops each of these cameras, which it then forgets */
  stop(isOver: (camera: string) => boolean): string[] {
    const stopped = [...this.#cameras].filter(isOver);
    for (const camera of stopped) this.#cameras.delete(camera);
    return stopped.map((camera) => JSON.stringify({ topic: `${camera}/ptz`, payload: 'STOP' }));
  }
}
