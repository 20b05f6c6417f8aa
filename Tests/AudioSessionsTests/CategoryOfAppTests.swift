import AudioSessions
import Testing

@Suite("A-26: classification by an app's desktop entry")
struct CategoryOfAppTests {
    private func kind(_ world: World, _ app: String) -> SoundKind? { world.audio.summary.apps.first { $0.app.id == app }?.kind }

    @Test("streams are classified by the categories of installed apps, also those that sounded before the apps were known")
    func categories() {
        var world = World()
        world.send(.streamAppeared(StreamID(1), StreamFacts(app: AudioApp(id: "Chess"))))
        #expect(kind(world, "Chess") == .unknown)
        world.send(.categoriesChanged(["chess": ["Game"], "player": ["AudioVideo", "Music"]]))
        #expect(kind(world, "Chess") == .gameAmbient)
        world.send(.streamAppeared(StreamID(2), StreamFacts(app: AudioApp(id: "player"))))
        #expect(kind(world, "player") == .music)
        world.send(.categoriesChanged([:]))
        #expect(kind(world, "Chess") == .unknown && kind(world, "player") == .unknown, "they were removed")
        #expect(world.audio.violations() == [])
    }

    @Test("the adapter's facts about a stream take precedence")
    func said() {
        var world = World()
        world.send(.categoriesChanged(["thing": ["Game"]]))
        world.send(.streamAppeared(StreamID(1), StreamFacts(app: AudioApp(id: "thing"), appCategories: ["AudioVideo", "Music"])))
        #expect(kind(world, "thing") == .music)
        world.send(.categoriesChanged(["thing": ["Network"]]))
        #expect(kind(world, "thing") == .music)
    }

    @Test("a frozen player gets only a pause, which still makes sense when it continues")
    func frozen() {
        let sent: [RemoteCommand] = [.pause, .stop],
            kept: [RemoteCommand] = [.play, .togglePlayPause, .next, .previous, .seek(1), .changeRate(2)]
        #expect(sent.allSatisfy(\.isForFrozenPlayers) && !kept.contains { $0.isForFrozenPlayers })
    }
}
