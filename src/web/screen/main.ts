import './screen.css';
import { text } from '../text.ts';
import { showWall } from './wall.ts';

const root = document.getElementById('screen');
document.title = `${text.wall.title} · ${document.title}`;
if (root !== null) showWall(root);
