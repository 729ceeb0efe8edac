/** The parts of Chart.js that the figures use, and what turns their data into its configuration. Imported lazily, by chart-canvas.tsx only. */
import {
  BarController,
  BarElement,
  Chart,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  ScatterController,
} from "chart.js";
import { barLabels } from "./plugin-bar-labels";
import { directLabels } from "./plugin-direct-labels";
import { heat } from "./plugin-heat";
import { ridges } from "./plugin-ridges";
import { shadedSpans } from "./plugin-shaded-spans";

Chart.register(
  BarController,
  BarElement,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  ScatterController,
  barLabels,
  directLabels,
  heat,
  ridges,
  shadedSpans,
);

export { specOf } from "./spec";
export { Chart };
