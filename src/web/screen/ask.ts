import { gatePath } from '../path-prefix.ts';
import { language } from '../locale.ts';

/** Milliseconds that Postern has to answer. `AbortSignal.timeout` is newer than some screens. */
const timeoutMs = 15_000;

/** Postern's answer. Status 0 when there was none. */
export interface Reply {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** @returns a signal that aborts with the given one, or after the timeout. `end` releases both */
export function limited(signal?: AbortSignal): { readonly signal: AbortSignal; readonly end: () => void } {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = setTimeout(abort, timeoutMs);
  if (signal !== undefined) signal.addEventListener('abort', abort);
  return {
    signal: controller.signal,
    end: () => {
      clearTimeout(timer);
      if (signal !== undefined) signal.removeEventListener('abort', abort);
    },
  };
}

/** Posts to Postern's own API. It never rejects. */
export async function ask(path: string, body: object): Promise<Reply> {
  const limit = limited();
  try {
    const response = await fetch(gatePath(path), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'accept-language': language },
      body: JSON.stringify(body),
      cache: 'no-store',
      credentials: 'same-origin',
      redirect: 'manual',
      signal: limit.signal,
    });
    const read: unknown = await response.json().catch(() => ({}));
    return { status: response.status, body: isRecord(read) ? read : {} };
  } catch {
    return { status: 0, body: {} };
  } finally {
    limit.end();
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** Whether another page shows this one in a frame. */
export function isFramed(): boolean {
  return window.self !== window.top;
}
