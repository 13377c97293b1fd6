/** Seconds that a share may last at most; 0: sharing is off. */
export const longestShare = Number(document.body.dataset['shares']);
