export { listAudit } from "./list";
