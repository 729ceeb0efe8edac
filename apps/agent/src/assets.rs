//! Where the bundled servers and scenarios are: installed beside the program, or in a checkout. And where those of the host's
//! owner are, which no update touches.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use thiserror::Error;

#[derive(Debug, Error)]
pub enum AssetsError {
    #[error(
        "{0} has no `servers` folder, so it cannot be the assets folder; give the folder that holds `servers` and \
         `scenarios` with --assets or RIGMARK_ASSETS."
    )]
    Wrong(PathBuf),
    #[error(
        "The folder with the servers and scenarios was not found beside this program or above the current folder; \
         name it with --assets or RIGMARK_ASSETS."
    )]
    NotFound,
}

/// What an owner may add to a host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OwnerKind {
    Servers,
    Scenarios,
}

impl OwnerKind {
    fn folder(self) -> &'static str {
        match self {
            OwnerKind::Servers => "servers",
            OwnerKind::Scenarios => "scenarios",
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assets {
    root: PathBuf,
    servers: PathBuf,
    scenarios: PathBuf,
    /// Folders of the host's owner, such as `/etc/rigmark`. None where only what is bundled was asked for.
    owner: Vec<PathBuf>,
    /// Servers are measured as they came, and nothing is compiled.
    builds_forbidden: bool,
}

impl Assets {
    /// `asked` (flag or environment) is final; otherwise `<exe>/../share/rigmark`, then a checkout above the
    /// executable or the current folder. With the owner's folders.
    pub fn locate(asked: Option<&Path>) -> Result<Self, AssetsError> {
        let found = Self::locate_bundled(asked)?;
        Ok(found.with_owner(owner_roots()))
    }

    fn locate_bundled(asked: Option<&Path>) -> Result<Self, AssetsError> {
        if let Some(root) = asked {
            return Self::at(root).ok_or_else(|| AssetsError::Wrong(root.to_owned()));
        }
        let exe = crate::program::own_program().ok().map(Path::to_owned);
        let installed = exe
            .as_deref()
            .and_then(|e| e.parent()?.parent().map(|p| p.join("share/rigmark")));
        let above = [exe, std::env::current_dir().ok()];
        installed
            .into_iter()
            .chain(above.iter().flatten().flat_map(|p| p.ancestors().map(Path::to_owned)))
            .find_map(|root| Self::at(&root))
            .ok_or(AssetsError::NotFound)
    }

    /// A release has `servers/` and `scenarios/`; a checkout has `servers/` and `packages/scenarios/`. Without the owner's folders.
    pub fn at(root: &Path) -> Option<Self> {
        let root = root.canonicalize().ok()?;
        let servers = root.join("servers");
        if !servers.is_dir() {
            return None;
        }
        let scenarios = [root.join("packages/scenarios"), root.join("scenarios")]
            .into_iter()
            .find(|p| p.is_dir())?;
        Some(Self {
            root,
            servers,
            scenarios,
            owner: Vec::new(),
            builds_forbidden: false,
        })
    }

    /// The same, with these folders of an owner: the first of two that have the same name counts.
    pub fn with_owner(self, owner: Vec<PathBuf>) -> Self {
        Self { owner, ..self }
    }

    /// Where the host's owner puts servers or scenarios, in the order in which they count; what is bundled counts before them.
    /// The folders need not exist.
    pub fn owner_folders(&self, kind: OwnerKind) -> Vec<PathBuf> {
        self.owner.iter().map(|root| root.join(kind.folder())).collect()
    }

    /// The same, for a host whose owner forbids builds.
    pub fn without_builds(self, forbidden: bool) -> Self {
        Self {
            builds_forbidden: forbidden,
            ..self
        }
    }

    pub fn builds_forbidden(&self) -> bool {
        self.builds_forbidden
    }

    /// Where the owner may write what runs from the app may not do. The files need not exist.
    pub fn owner_rules(&self) -> Vec<PathBuf> {
        self.owner.iter().map(|root| root.join("agent.toml")).collect()
    }

    /// Another number when something in the owner's folders has changed: files that are added, removed or written.
    pub fn owner_files(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        for folder in &self.owner {
            stamp_file(folder.join("agent.toml"), &mut hasher);
            for kind in [OwnerKind::Servers, OwnerKind::Scenarios] {
                stamp(&folder.join(kind.folder()), &mut hasher);
            }
        }
        hasher.finish()
    }

    pub fn root(&self) -> &Path {
        &self.root
    }
    /// One folder a server.
    pub fn servers(&self) -> &Path {
        &self.servers
    }
    /// Does it have builds of the servers beside their sources?
    pub fn has_prebuilt(&self) -> bool {
        self.root.join("prebuilt").is_dir()
    }
    /// The scenarios package: scenarios, suites and the tool scripts that they need.
    pub fn scenarios(&self) -> &Path {
        &self.scenarios
    }
}

/// Names and times of what lies in `folder`, and of each `server.toml` one level below.
fn stamp(folder: &Path, hasher: &mut DefaultHasher) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.flatten().take(MOST_STAMPED).map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        for path in [path.join("server.toml"), path] {
            stamp_file(path, hasher);
        }
    }
}
fn stamp_file(path: PathBuf, hasher: &mut DefaultHasher) {
    // Of what a link leads to.
    if let Ok(metadata) = std::fs::metadata(&path) {
        (path, metadata.modified().ok(), metadata.len()).hash(hasher);
    }
}
const MOST_STAMPED: usize = 1000;

/// The user's, then the machine's. Only who may write there adds to a host; nothing that a control plane sends does.
fn owner_roots() -> Vec<PathBuf> {
    owner_roots_of(|name| std::env::var_os(name).map(PathBuf::from))
}

fn owner_roots_of(variable: impl Fn(&str) -> Option<PathBuf>) -> Vec<PathBuf> {
    // A relative folder would be another one in each place; the XDG specification has it ignored.
    let absolute = |name: &str| variable(name).filter(|path| path.is_absolute());
    let user = absolute("XDG_CONFIG_HOME").or_else(|| Some(absolute("HOME")?.join(".config")));
    let roots = user.into_iter().chain([PathBuf::from("/etc")]);
    roots.map(|root| root.join("rigmark")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_layouts_are_known_and_others_refused() {
        let dir = tempfile::tempdir().unwrap();
        assert!(matches!(Assets::locate(Some(dir.path())), Err(AssetsError::Wrong(_))));
        std::fs::create_dir_all(dir.path().join("servers")).unwrap();
        std::fs::create_dir_all(dir.path().join("scenarios")).unwrap();
        let assets = Assets::locate(Some(dir.path())).unwrap();
        assert!(assets.scenarios().ends_with("scenarios"));
        std::fs::create_dir_all(dir.path().join("packages/scenarios")).unwrap();
        let assets = Assets::locate(Some(dir.path())).unwrap();
        assert!(assets.scenarios().ends_with("packages/scenarios"));
    }

    #[test]
    fn the_owners_folders_are_the_users_and_then_the_machines() {
        let of = |xdg: Option<&str>, home: Option<&str>| {
            let roots = owner_roots_of(|name| {
                let value = if name == "HOME" { home } else { xdg };
                value.map(PathBuf::from)
            });
            roots.iter().map(|p| p.display().to_string()).collect::<Vec<_>>()
        };
        let both = ["/home/a/.config/rigmark", "/etc/rigmark"];
        assert_eq!(of(None, Some("/home/a")), both);
        assert_eq!(of(Some("relative"), Some("/home/a")), both);
        assert_eq!(of(Some("/x"), Some("/home/a")), ["/x/rigmark", "/etc/rigmark"]);
        assert_eq!(of(None, None), ["/etc/rigmark"]);
    }

    #[test]
    fn an_owner_has_a_folder_for_each_kind() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(dir.path().join("servers")).unwrap();
        std::fs::create_dir_all(dir.path().join("scenarios")).unwrap();
        let assets = Assets::at(dir.path()).unwrap();
        assert!(assets.owner_folders(OwnerKind::Servers).is_empty());
        let assets = assets.with_owner(vec![PathBuf::from("/etc/rigmark")]);
        assert_eq!(
            assets.owner_folders(OwnerKind::Scenarios),
            [PathBuf::from("/etc/rigmark/scenarios")]
        );
    }

    #[test]
    fn what_an_owner_adds_changes_or_removes_is_noticed() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(dir.path().join("servers")).unwrap();
        std::fs::create_dir_all(dir.path().join("scenarios")).unwrap();
        let owner = dir.path().join("owner");
        let assets = Assets::at(dir.path()).unwrap().with_owner(vec![owner.clone()]);
        let nothing = assets.owner_files();
        assert_eq!(assets.owner_files(), nothing);
        let manifest = owner.join("servers/hello/server.toml");
        std::fs::create_dir_all(manifest.parent().unwrap()).unwrap();
        let folder = assets.owner_files();
        std::fs::write(&manifest, "schema = 1").unwrap();
        let added = assets.owner_files();
        std::fs::write(&manifest, "schema = 1\nname = \"hello\"").unwrap();
        let changed = assets.owner_files();
        std::fs::remove_file(&manifest).unwrap();
        std::fs::remove_dir(manifest.parent().unwrap()).unwrap();
        let seen = [nothing, folder, added, changed];
        assert!((1..4).all(|i| seen[i] != seen[i - 1]), "{seen:?}");
        assert_eq!(assets.owner_files(), nothing);
    }
}
