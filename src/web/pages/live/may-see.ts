import { statusOf } from '../../api-client.ts';
import { pathTo } from '../../path-prefix.ts';

/**
 * Asks the gate whether a camera may still be seen: a WebSocket does not say why it ended. Where the session is over, this leads
 * to the login.
 * @returns false when the gate says no; whoever cannot be asked has not said so
 */
export async function maySee(camera: string): Promise<boolean> {
  const path = `/api/${encodeURIComponent(camera)}/latest.jpg?height=90`;
  return (await statusOf(pathTo(path)).catch(() => 0)) !== 403;
}
