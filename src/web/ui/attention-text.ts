import type { Attention } from '../api-client.ts';
import { fill, plural, text } from '../text.ts';
import { cameraText } from './cameras/camera-names.ts';
import { momentText } from './time-text.ts';

// The API names no more users or roles than this.
const mostNamed = 5;

/** @returns what needs attention */
export function attentionText(kind: Attention['kind'], detail: Attention['detail']): string {
  const count = Number(detail['count'] ?? detail['sessions'] ?? detail['problems']);
  const valueOf = (key: string) => String(detail[key]);
  const named = detail['users'] === undefined ? 'roles' : 'users';
  const values = {
    first: valueOf('first'),
    provider: valueOf('provider'),
    roles: valueOf('roles'),
    unknown: valueOf('unknown'),
    [named]: `${valueOf(named)}${count > mostNamed ? ', …' : ''}`,
  };
  const words = text.attention;
  if (kind === 'clock_behind')
    return fill(words[kind].says, {
      clock: momentText(Number(detail['clock']), true),
      last: momentText(Number(detail['last']), true),
    });
  if (kind === 'certificate_ends') {
    const days = Number(detail['days']);
    if (days === 0) return words[kind].today;
    return days < 0 ? words[kind].over : plural(words[kind].says, days);
  }
  if (kind === 'access_asked') {
    const asks = fill(words[kind].says, { user: valueOf('user'), camera: cameraText(valueOf('camera')) });
    return count > 1 ? `${asks} ${plural(words[kind].moreWait, count - 1)}` : asks;
  }
  if (kind === 'camera_lost') {
    const { says, unseen, likely, more } = words[kind];
    const camera = cameraText(valueOf('camera'));
    const people = Number(detail['people']);
    const users = `${valueOf('users')}${people > mostNamed ? ', …' : ''}`;
    return [
      people === 0 ? fill(unseen, { camera }) : fill(says, { camera, users }),
      ...(detail['likely'] === null ? [] : [fill(likely, { likely: cameraText(valueOf('likely')) })]),
      ...(count > 1 ? [plural(more, count - 1)] : []),
    ].join(' ');
  }
  if (kind === 'events_unreadable') {
    const { says, why } = words[kind];
    return fill(says, { why: why[detail['fault'] as keyof typeof why] });
  }
  const { says } = words[kind];
  return typeof says === 'string' ? fill(says, values) : plural(says, count, values);
}
