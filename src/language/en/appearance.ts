export const appearance = {
  what: 'the face of the house',
  hint: 'Guests see this before they sign in, on shared links and when something is closed to them.',
  name: 'Name of the house',
  accent: 'Colour',
  accentHint: 'Any colour works. Where it would be hard to read, it gets a little darker or lighter.',
  colours: {
    patina: 'Patina',
    harbour: 'Harbour',
    plum: 'Plum',
    brick: 'Brick',
    moss: 'Moss',
    slate: 'Slate',
  },
  otherColour: 'Another colour',
  save: 'Save',
  ownPicture: 'The picture is the file that `ui.logo` names in `config.yml`.',
  drawnPicture: 'For a picture of your own, put a file beside `config.yml` and name it in `ui.logo`.',
};
