export { Loading as default } from "@/components/ui/loading";
