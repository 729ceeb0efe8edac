//! The servers that this host knows by name: the bundled ones, then those of its owner. A name means one folder; the bundled
//! server has it before the owner's, and the user's folder before the machine's.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::manifest::{FILE_NAME, is_slug};
use crate::assets::{Assets, OwnerKind};

/// As many as a catalogue may hold (`Catalogue` of packages/protocol).
const MOST: usize = 200;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    pub name: String,
    pub folder: PathBuf,
    /// The owner put it on this host; otherwise it is bundled.
    pub owned: bool,
}

/// A folder of the owner's that is not in the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hidden {
    pub name: String,
    /// Why, and what to do.
    pub sentence: String,
}

/// Sorted by name.
pub fn all(assets: &Assets) -> Vec<Known> {
    look(assets).0
}

/// What of the owner's folders cannot be used by its name.
pub fn hidden(assets: &Assets) -> Vec<Hidden> {
    look(assets).1
}

pub fn bundled(assets: &Assets) -> Vec<Known> {
    let folders = servers_in(assets.servers()).into_iter();
    let known = folders.map(|(name, folder)| Known {
        name,
        folder,
        owned: false,
    });
    known.filter(|known| is_slug(&known.name)).collect()
}

fn look(assets: &Assets) -> (Vec<Known>, Vec<Hidden>) {
    let known = bundled(assets).into_iter().map(|known| (known.name.clone(), known));
    let mut known: BTreeMap<String, Known> = known.collect();
    let mut hidden = Vec::new();
    for root in assets.owner_folders(OwnerKind::Servers) {
        for (name, folder) in servers_in(&root) {
            let shown = folder.display();
            let why = match known.get(&name) {
                _ if !is_slug(&name) => format!(
                    "{shown} is not used: a server's folder is named with up to 64 of a-z, 0-9, `.`, `_` and `-`; rename it."
                ),
                Some(other) if !other.owned => {
                    format!(
                        "{shown} is not used: the bundled server {name} has that name; rename the folder, and its name in server.toml."
                    )
                }
                Some(other) => format!(
                    "{shown} is not used: {} has that name already; rename one of them, and its name in server.toml.",
                    other.folder.display()
                ),
                None if known.len() >= MOST => {
                    format!("{shown} is not used: a host has at most {MOST} servers; remove some of them.")
                }
                None => {
                    let owned = true;
                    known.insert(name.clone(), Known { name, folder, owned });
                    continue;
                }
            };
            hidden.push(Hidden { name, sentence: why });
        }
    }
    (known.into_values().collect(), hidden)
}

/// Name and folder of each that has a server.toml, sorted. A folder that is not there or cannot be read has none.
fn servers_in(root: &Path) -> Vec<(String, PathBuf)> {
    let entries = std::fs::read_dir(root).into_iter().flatten().flatten();
    let mut found: Vec<(String, PathBuf)> = entries
        .filter(|entry| entry.path().join(FILE_NAME).is_file())
        .map(|entry| (entry.file_name().to_string_lossy().into_owned(), entry.path()))
        .collect();
    found.sort();
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::{Server, catalogue, names};

    /// An installation with the server `epoll`, and two folders of an owner.
    struct Host {
        dir: tempfile::TempDir,
        assets: Assets,
    }

    impl Host {
        fn new() -> Self {
            let dir = tempfile::tempdir().unwrap();
            let root = dir.path().canonicalize().unwrap();
            std::fs::create_dir_all(root.join("assets/scenarios")).unwrap();
            put(&root.join("assets/servers/epoll"), &text("epoll"));
            let assets = Assets::at(&root.join("assets")).unwrap();
            let assets = assets.with_owner(vec![root.join("user"), root.join("machine")]);
            Self { dir, assets }
        }

        fn put(&self, place: &str, text: &str) {
            put(&self.dir.path().join(place), text);
        }
    }

    fn put(folder: &Path, text: &str) {
        std::fs::create_dir_all(folder).unwrap();
        std::fs::write(folder.join(FILE_NAME), text).unwrap();
    }

    fn text(name: &str) -> String {
        format!(
            "schema = 1\nname = \"{name}\"\ntitle = \"{name}\"\nlanguage = \"C\"\nsummary = \"\"\nlicense = \"MIT\"\n\
             [run]\ncommand = [\"x\", \"{{port}}\"]\n"
        )
    }

    #[test]
    fn an_owners_server_is_known_by_its_name_like_a_bundled_one() {
        let host = Host::new();
        host.put("user/servers/mine", &text("mine"));
        host.put("machine/servers/theirs", &text("theirs"));
        assert_eq!(names(&host.assets), ["epoll", "mine", "theirs"]);
        assert!(
            Server::find(&host.assets, "mine")
                .unwrap()
                .folder
                .ends_with("user/servers/mine")
        );
        assert!(hidden(&host.assets).is_empty());
    }

    #[test]
    fn of_two_with_one_name_the_bundled_and_then_the_users_counts_and_it_is_said() {
        let host = Host::new();
        host.put("user/servers/epoll", &text("epoll"));
        host.put("user/servers/mine", &text("mine"));
        host.put("machine/servers/mine", &text("mine"));
        host.put("machine/servers/My Server", &text("x"));
        let known = all(&host.assets);
        assert_eq!(known.iter().map(|k| k.owned).collect::<Vec<_>>(), [false, true]);
        assert!(known[1].folder.ends_with("user/servers/mine"));
        let said: Vec<String> = hidden(&host.assets).into_iter().map(|h| h.sentence).collect();
        assert_eq!(said.len(), 3);
        assert!(
            said[0].contains("user/servers/epoll is not used: the bundled server epoll has that name"),
            "{said:?}"
        );
        assert!(
            said[1].contains("My Server is not used: a server's folder is named with"),
            "{said:?}"
        );
        assert!(said[2].contains("user/servers/mine has that name already"), "{said:?}");
    }

    #[test]
    fn a_bad_file_is_told_of_with_its_place_and_breaks_nothing_else() {
        let host = Host::new();
        host.put("user/servers/bad", &text("bad").replace("schema = 1", "schema = 7"));
        host.put("user/servers/other", &text("another"));
        let servers = catalogue(&host.assets);
        assert_eq!(servers.len(), 3);
        assert!(!servers[0].supported);
        let reason = servers[0].reason.as_deref().unwrap();
        assert!(
            reason.contains("bad/server.toml:1:10: schema: 7 is not known here"),
            "{reason}"
        );
        assert!(servers[1].supported || servers[1].reason.is_some());
        let reason = servers[2].reason.as_deref().unwrap();
        assert!(reason.contains("is not the folder's name"), "{reason}");
    }

    #[test]
    fn a_run_names_a_commit_of_an_owners_server_in_git_and_of_no_other() {
        let host = Host::new();
        let root = host.dir.path().canonicalize().unwrap();
        let clone = root.join("clone");
        put(&clone.join("hello"), &text("hello"));
        let git = |arguments: &[&str]| {
            let who = [
                "-c",
                "user.name=t",
                "-c",
                "user.email=t@example.org",
                "-c",
                "commit.gpgsign=false",
            ];
            let mut command = std::process::Command::new("git");
            command.args(who).args(arguments).current_dir(&clone);
            ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"].iter().for_each(|name| {
                command.env_remove(name);
            });
            assert!(
                command
                    .env("GIT_CONFIG_GLOBAL", "/dev/null")
                    .status()
                    .unwrap()
                    .success()
            );
        };
        git(&["init", "--quiet", "--initial-branch=main", "."]);
        git(&["add", "--all"]);
        git(&["commit", "--quiet", "-m", "one"]);
        put(&clone.join("hello"), &text("nginx"));
        git(&["commit", "--quiet", "-am", "renamed"]);
        put(&clone.join("hello"), &text("hello"));
        std::fs::create_dir_all(root.join("user/servers")).unwrap();
        std::os::unix::fs::symlink(clone.join("hello"), root.join("user/servers/hello")).unwrap();
        host.put("user/servers/mine", &text("mine"));
        let takes: Vec<_> = catalogue(&host.assets)
            .into_iter()
            .map(|s| (s.name, s.revisions))
            .collect();
        let expected = [("epoll", None), ("hello", Some(true)), ("mine", None)];
        assert_eq!(takes, expected.map(|(name, takes)| (name.to_owned(), takes)));

        let state = crate::state::State::locate(Some(&root.join("state")));
        let at = |name: &str, reference: &str| Server::queued(&host.assets, &state, name, reference, &|| false);
        let server = at("hello", "main~1").unwrap();
        assert!(server.revision.is_some() && server.folder.starts_with(root.join("state")));
        let here = Server::from_argument(&host.assets, &state, "hello@main~1").unwrap();
        assert_eq!(here.content_hash, server.content_hash);
        let bundled = Server::from_argument(&host.assets, &state, "epoll@main").unwrap_err();
        assert!(bundled.to_string().contains("The server epoll is bundled"), "{bundled}");
        for (name, reference, says) in [
            ("epoll", "main", "The server epoll is bundled, so it has no commits"),
            ("hello", "main", "the server.toml of hello calls it \"nginx\""),
            (
                "hello",
                "gone",
                "has no \"gone\", and its owner lets nothing be fetched",
            ),
            ("mine", "main", "is in no git repository that can be used"),
            ("helo", "main", "There is no server \"helo\""),
        ] {
            let refused = at(name, reference).unwrap_err().to_string();
            assert!(refused.contains(says), "{refused}");
        }
    }
}
