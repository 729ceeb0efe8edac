/** The parts of Chart.js that the figures use. Imported lazily, by chart-canvas.tsx only. */
import {
  BarController,
  BarElement,
  Chart,
  LinearScale,
  LineController,
  LineElement,
  LogarithmicScale,
  PointElement,
  ScatterController,
  Tooltip,
} from "chart.js";
import { barLabels } from "./plugin-bar-labels";
import { directLabels } from "./plugin-direct-labels";
import { shadedSpans } from "./plugin-shaded-spans";

Chart.register(
  BarController,
  BarElement,
  LinearScale,
  LineController,
  LineElement,
  LogarithmicScale,
  PointElement,
  ScatterController,
  Tooltip,
  barLabels,
  directLabels,
  shadedSpans,
);

export { Chart };
