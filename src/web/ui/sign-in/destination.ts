import { destinationOf } from '../../../policy/return-address.ts';
import { pathTo, withoutPrefix } from '../../path-prefix.ts';
import { landing } from '../page-marks.ts';

/**
 * @param next from `returnAddress`; omit where no page was asked for
 * @returns where this sign-in leads: a path below the prefix, or an address of another site
 */
export function afterSignIn(next = '/'): string {
  return withoutPrefix(destinationOf(next, { landing, prefix: pathTo(''), host: location.host }));
}

/** @param destination from `afterSignIn`. @returns it as a link */
export function hrefOf(destination: string): string {
  return destination.startsWith('/') ? pathTo(destination) : destination;
}
