import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Profile } from './api-client.ts';

export const ProfileContext = createContext<Profile | undefined>(undefined);

/** Says whether somebody has to set up a second factor before anything else: the site then leads nowhere. */
export const RestrictionContext = createContext<(isRestricted: boolean) => void>(() => undefined);

export function useProfile(): Profile {
  const profile = useContext(ProfileContext);
  if (profile === undefined) throw new Error('no profile around this component');
  return profile;
}

/** The internal entry point lets everybody in as this user, which no account can be. */
export function isAnonymous({ username }: Profile): boolean {
  return username === 'anonymous';
}
