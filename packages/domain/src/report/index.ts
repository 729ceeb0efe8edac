export { changeReportAccess } from "./change-access";
export { createReport } from "./create";
export { createReportAsSystem } from "./create-as-system";
export {
  createDescribedReport,
  describeReport,
  describeReports,
  revokeReportBySlug,
} from "./describe";
export { findReportBySlug } from "./find-by-slug";
export { findReportHash, type ReportHash } from "./find-hash";
export { getLeaderboard } from "./get-leaderboard";
export { getLeaderboardMatrix } from "./get-leaderboard-matrix";
export { listReports } from "./list";
export { listLeaderboards } from "./list-leaderboards";
export { listPublicReports } from "./list-public";
export { renderReport } from "./render";
export { revokeReport } from "./revoke";
