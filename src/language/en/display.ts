export const display = {
  language: 'Language',
  byBrowser: 'By browser',
  look: 'Look',
  bySystem: 'By system',
  looks: { light: 'Light', dark: 'Dark' },
};
