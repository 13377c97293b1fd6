/** Seconds that a share may last at most; 0: no one shares anything here. */
export const longestShare = Number(document.body.dataset['shares']);
