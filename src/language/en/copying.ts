/** Of what is shown to be copied. */
export const copying = {
  copy: 'Copy',
  copied: 'Copied.',
  notCopied: 'Couldn’t copy. It’s selected, so you can copy it yourself.',
};
