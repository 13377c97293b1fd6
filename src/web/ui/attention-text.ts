import type { Attention } from '../api-client.ts';
import { fill, plural, text } from '../text.ts';
import { cameraText } from './cameras/camera-names.ts';

// The API names no more users or roles than this.
const mostNamed = 5;

/** @returns what needs attention */
export function attentionText(kind: Attention['kind'], detail: Attention['detail']): string {
  const count = Number(detail['count']);
  const names = (key: string) => `${valueOf(detail, key)}${count > mostNamed ? ', …' : ''}`;
  const words = text.attention;
  switch (kind) {
    case 'first_run':
    case 'alerts_lost':
      return plural(words[kind].says, count);
    case 'role_unverified':
      return plural(words[kind].says, count, { roles: names('roles') });
    case 'role_undefined':
      return plural(words[kind].says, count, { users: names('users'), roles: valueOf(detail, 'roles') });
    case 'provider_fault': {
      const provider = valueOf(detail, 'provider');
      return plural(words[kind].says, Number(detail['sessions']), { provider });
    }
    case 'session_not_refreshed':
      return fill(words[kind].says, { provider: valueOf(detail, 'provider') });
    case 'reload_failed':
      return plural(words[kind].says, Number(detail['problems']), { first: valueOf(detail, 'first') });
    case 'certificate_ends': {
      const days = Number(detail['days']);
      if (days === 0) return words[kind].today;
      return days < 0 ? words[kind].over : plural(words[kind].says, days);
    }
    case 'access_asked': {
      const [user, camera] = [valueOf(detail, 'user'), cameraText(valueOf(detail, 'camera'))];
      const asks = fill(words[kind].says, { user, camera });
      return count > 1 ? `${asks} ${plural(words[kind].moreWait, count - 1)}` : asks;
    }
    case 'password_generated':
    case 'recorder_away':
    case 'sample_data':
      return words[kind].says;
  }
}

function valueOf(detail: Attention['detail'], key: string): string {
  return String(detail[key]);
}
