import { ApiFailure, bodyOf, codeIn } from './api-client.ts';
import { gatePath } from './path-prefix.ts';
import { text } from './text.ts';

/** What a share shows, as the gate says to whoever has the secret. Times are seconds since the epoch. */
export interface OpenedShare {
  readonly kind: 'event' | 'export' | 'camera';
  readonly label: string | null;
  readonly cameras: readonly string[];
  /** What was recorded from then on; of an event or an export, when it began. */
  readonly from: number;
  readonly until: number;
  readonly expires_at: number;
  /** Paths below the directory of the page. */
  readonly media: {
    readonly video?: string;
    readonly thumbnail?: string;
    readonly live?: string;
    readonly download?: string;
  };
}

/** @throws ApiFailure */
export function openShare(
  id: string,
  proof: { readonly secret: string; readonly password?: string },
): Promise<OpenedShare> {
  const call = request(gatePath(`/api/shares/${encodeURIComponent(id)}/open`), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(proof),
  });
  return bodyOf(call) as Promise<OpenedShare>;
}

/** @returns the address of something that is shared */
export function mediaAddress(path: string): string {
  return gatePath(`/share/${path}`);
}

/** @returns the answer with something that is shared. @throws ApiFailure when it does not come */
export async function readMedia(url: string, signal: AbortSignal): Promise<Response> {
  const response = await request(url, { signal, cache: 'no-store' });
  if (!response.ok) await bodyOf(Promise.resolve(response));
  return response;
}

/** Whether the gate has said that the share is over, or is none of those there are. */
export function saysOver(error: unknown): boolean {
  return error instanceof ApiFailure && codeIn(error.body) === 'share_over';
}

/** Not by the gate's own ways: they lead to the login, which whoever was sent a link has none for. */
async function request(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...init, redirect: 'error' });
  } catch {
    throw new ApiFailure(0, text.progress.noAnswer);
  }
}

const key = 'postern.share';

/** What is shown is there again when the page is loaded again; the cookie lets its media come. No secret is kept. */
export function rememberShare(id: string, share: OpenedShare | undefined): void {
  if (share === undefined) sessionStorage.removeItem(key);
  else sessionStorage.setItem(key, JSON.stringify({ id, share }));
}

export function rememberedShare(id: string): OpenedShare | undefined {
  const found = JSON.parse(sessionStorage.getItem(key) ?? 'null') as {
    readonly id: string;
    readonly share: OpenedShare;
  } | null;
  return found?.id === id ? found.share : undefined;
}
