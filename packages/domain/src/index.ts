export * from "./views";
