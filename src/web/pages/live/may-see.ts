import { bodyOf, isRefused, liveApi, type ApiFailure } from '../../api-client.ts';

/**
 * Asks the gate whether a camera may still be seen: a WebSocket does not report why it ended. If the session is over, this
 * leads to the login.
 * @returns the refusal; undefined: it may be seen, or the gate cannot be reached
 */
export async function refusalOf(camera: string): Promise<ApiFailure | undefined> {
  try {
    await bodyOf(liveApi[':camera'].$get({ param: { camera } }));
    return undefined;
  } catch (error) {
    return isRefused(error) ? error : undefined;
  }
}
