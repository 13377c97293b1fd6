import { isBehindFirstEdition } from './path-prefix.ts';

/** Seconds that a share may last at most; 0: nobody shares anything here. A front of the first edition passes on no share. */
export const longestShare = isBehindFirstEdition ? 0 : Number(document.body.dataset['shares']);
