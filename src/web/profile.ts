import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Profile } from './api-client.ts';

export const ProfileContext = createContext<Profile | undefined>(undefined);

/** Sets whether the user must set up a second factor first: then no other page opens. */
export const RestrictionContext = createContext<(isRestricted: boolean) => void>(() => undefined);

export function useProfile(): Profile {
  const profile = useContext(ProfileContext);
  if (profile === undefined) throw new Error('no profile around this component');
  return profile;
}

/** Whether the user may do something with the cameras. Postern decides; pages only leave out what it would refuse. */
export function useMay(capability: Profile['may'][number]): boolean {
  return useProfile().may.includes(capability);
}

/** The internal entry point lets anyone in as this user; no account can have the name. */
export function isAnonymous({ username }: Profile): boolean {
  return username === 'anonymous';
}
