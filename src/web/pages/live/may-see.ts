import { statusOf } from '../../api-client.ts';
import { pathTo } from '../../path-prefix.ts';

/**
 * Asks the gate whether a camera may still be seen: a WebSocket does not report why it ended. If the session is over, this
 * leads to the login.
 * @returns false only when the gate refuses; an unreachable gate does not count
 */
export async function maySee(camera: string): Promise<boolean> {
  const path = `/api/${encodeURIComponent(camera)}/latest.jpg?height=90`;
  return (await statusOf(pathTo(path)).catch(() => 0)) !== 403;
}
