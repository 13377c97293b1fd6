/** Of what is shown to be copied. */
export const copying = {
  copy: 'Copy',
  copied: 'Copied.',
  notCopied: 'It could not be copied: it is selected, copy it yourself.',
};
