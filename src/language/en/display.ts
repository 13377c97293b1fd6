export const display = {
  language: 'Language',
  byBrowser: 'Automatic',
  look: 'Theme',
  bySystem: 'System',
  looks: { light: 'Light', dark: 'Dark' },
};
