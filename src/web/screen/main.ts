import './screen.css';
import { pageOf } from '../path-prefix.ts';
import { text } from './page.ts';
import { showPairing } from './pair.ts';
import { showWall } from './wall.ts';

const root = document.getElementById('screen');
const house = document.title;
const isPairing = pageOf(location.pathname) === '/pair';
document.title = `${isPairing ? text.pairScreen.title : text.wall.title} · ${house}`;
if (root !== null) {
  if (isPairing) showPairing(root, house);
  else showWall(root);
}
